// Neighbouring calls between which no barrier is needed: pieces of one value, or ops of which none
// reads what another writes. A worker that has done its part of one goes on with its part of the
// next.
//
// Such calls are one step of the plan, so that no bytes are used twice in it. This takes more
// memory, so it is done only where a barrier is a good part of the time.
#include "passes/schedule/share.h"

static const MgKBuf *buffer(const MgSched *s, const MgKCall *call, uint32_t i) {
    return &s->p->kernels.at[call->kernel]->bufs.at[i];
}

static MgIx work_of(MgSched *s, const MgKCall *call) {
    const MgSite *site = &s->p->sites.at[call->site];
    return mg_share_work_of(s, site->ops, site->n_ops);
}

// Does the call write to memory that the caller gives, which may also be that of an input?
static bool writes_ports(const MgSched *s, const MgKCall *call, const MgStorageId *storages) {
    for (uint32_t i = 0; i < call->n_buffers; i++)
        if (buffer(s, call, i)->writes &&
            s->draft->storages.at[mg_storage_whole(s, storages[i])].kind != MG_PLAN_ARENA)
            return true;
    return false;
}

// Do both calls compute pieces of one equation, each at places of its own?
static bool are_pieces(const MgSched *s, const MgKCall *a, const MgKCall *b) {
    const MgSite *of_a = &s->p->sites.at[a->site], *of_b = &s->p->sites.at[b->site];
    if (of_a->n_ops != 1 || of_b->n_ops != 1 || of_a->ops[0] != of_b->ops[0])
        return false;
    const MgOp *op = mg_op(s->g, of_a->ops[0]);
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces < 2)
        return false;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        if (op->equation->pieces[i].scatter)
            return false;
    return true;
}

static bool meet(const MgSched *s, const MgKCall *a, const MgStorageId *of_a, const MgKCall *b,
                 const MgStorageId *of_b) {
    bool pieces = are_pieces(s, a, b);
    for (uint32_t i = 0; i < a->n_buffers; i++)
        for (uint32_t j = 0; j < b->n_buffers; j++) {
            const MgKBuf *x = buffer(s, a, i), *y = buffer(s, b, j);
            bool read = (x->writes && y->reads) || (x->reads && y->writes);
            bool both = x->writes && y->writes && !pieces;
            if ((read || both) && mg_storage_whole(s, of_a[i]) == mg_storage_whole(s, of_b[j]))
                return true;
        }
    return false;
}

bool mg_call_joins(MgSched *s, const MgKBlock *plan, const MgKCall *call,
                   const MgStorageId *storages) {
    uint32_t n = plan->list.len, last = s->draft->calls.len - 1;
    if (s->workers < 2 || s->options->target.gpu || !s->draft->share.together || n < 2 ||
        plan->list.at[n - 1]->kind != MG_KS_BARRIER || plan->list.at[n - 2]->kind != MG_KS_CALL ||
        plan->list.at[n - 2]->call != s->draft->calls.at[last].call)
        return false;
    MgIx work = work_of(s, call);
    bool joins = !writes_ports(s, call, storages);
    for (uint32_t i = 0; joins && i < s->draft->share.together; i++) {
        const MgPendingCall *other = &s->draft->calls.at[last - i];
        work = mg_ix_add(s->ix, work, work_of(s, other->call));
        joins = !writes_ports(s, other->call, other->to.storages) &&
                !meet(s, other->call, other->to.storages, call, storages);
    }
    return joins && mg_share_is_short(s, work);
}
