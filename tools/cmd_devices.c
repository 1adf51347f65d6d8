// mgc devices: lists the devices for --target=gpu, and the numbers by which --device chooses.
#include "tools/mgc.h"

#include "runtime/device.h"
#include "tools/show.h"

#include <stdio.h>
#include <stdlib.h>

static void add_text(MgText *out, const char *name, const char *value) {
    mg_textf(out, ", \"%s\": ", name);
    mgc_json_string(out, value);
}

static void add_json(MgText *out, const MgDeviceInfo *d) {
    mg_textf(out, "%s{\"number\": %u", d->number ? ",\n " : "", d->number);
    add_text(out, "name", d->name);
    add_text(out, "type", mg_device_type_name(d->type));
    add_text(out, "platform", d->platform);
    add_text(out, "version", d->version);
    add_text(out, "driver", d->driver);
    add_text(out, "interface", d->interface);
    mg_textf(out,
             ", \"compute_units\": %u, \"clock_mhz\": %u, \"memory\": %llu, \"max_allocation\": "
             "%llu, \"local_memory\": %llu, \"max_group\": %u, \"warp\": %u, \"f64\": %s}",
             d->compute_units, d->clock_mhz, (unsigned long long)d->memory,
             (unsigned long long)d->max_allocation, (unsigned long long)d->local_memory,
             d->max_group, d->warp, d->f64 ? "true" : "false");
}

static void add_row(MgText *out, const MgDeviceInfo *d) {
    mg_textf(out, "%3u  %-11s  %5u  %7.1f GiB  %5llu KiB  %5u  %s (%s, driver %s, through %s)\n",
             d->number, mg_device_type_name(d->type), d->compute_units, (double)d->memory / 0x1p30,
             (unsigned long long)(d->local_memory >> 10), d->max_group, d->name, d->platform,
             d->driver, d->interface);
}

static int devices(MgSession *session, const MgcOptions *options) {
    MgText out = mg_text(session->arena);
    MgDeviceInfo *list;
    uint32_t n;
    char *message = NULL;
    MgStatus status = mg_devices(&list, &n, &message);
    if (status) {
        mgc_fail(status, "%s", message ? message : "out of memory");
        free(message);
        return status;
    }
    mg_text_add(&out, options->json ? "["
                                    : "  #  type         units       memory      local  "
                                      "group  name\n");
    for (uint32_t i = 0; i < n; i++)
        (options->json ? add_json : add_row)(&out, &list[i]);
    mg_text_add(&out, options->json ? "]\n" : "");
    free(list);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_devices(const MgcOptions *options) {
    return mgc_in_session(options, devices);
}
