// Classifies handwritten digits with a network that is called from C, through the header that
// mgc wrote beside it. No memory is allocated here: the arena is a static array, which the size of
// the batch decides; a batch that needs more is refused.
#include "digits.h"

#include <stdio.h>

static const uint8_t images[2][8][8] = {{{0, 0, 9, 16, 16, 12, 2, 0},
                                         {0, 3, 13, 5, 4, 14, 5, 0},
                                         {0, 0, 0, 0, 7, 15, 2, 0},
                                         {0, 0, 0, 5, 16, 11, 0, 0},
                                         {0, 0, 0, 0, 8, 16, 7, 0},
                                         {0, 0, 0, 0, 0, 13, 8, 0},
                                         {0, 0, 4, 5, 5, 15, 4, 0},
                                         {0, 0, 12, 16, 15, 5, 0, 0}},
                                        {{0, 0, 0, 12, 13, 0, 0, 0},
                                         {0, 0, 2, 16, 12, 0, 0, 0},
                                         {0, 0, 4, 16, 6, 0, 0, 0},
                                         {0, 0, 10, 16, 8, 0, 0, 0},
                                         {0, 0, 8, 16, 16, 15, 5, 0},
                                         {0, 0, 8, 16, 0, 6, 15, 1},
                                         {0, 0, 7, 16, 4, 10, 16, 3},
                                         {0, 0, 1, 11, 16, 16, 12, 0}}};
static _Alignas(64) unsigned char arena[8 << 20];

static int classify(digits_instance *net, int64_t n) {
    float probability[2][10];
    int code = digits_bind(net, &(digits_sizes){.N = n}, arena, sizeof arena);
    if (!code)
        code = digits_run(net, &(digits_inputs){.images = images[0][0]},
                          &(digits_outputs){.probability = probability[0]});
    for (int64_t i = 0; i < n && !code; i++) {
        int best = 0;
        for (int digit = 1; digit < 10; digit++)
            if (probability[i][digit] > probability[i][best])
                best = digit;
        printf("image %d: %d (%.0f%%)\n", (int)i, best, 100 * probability[i][best]);
    }
    return code;
}

int main(void) {
    digits_instance net;
    int code = digits_open(&net);
    if (!code)
        code = classify(&net, 2);
    if (!code)
        code = classify(&net, 1); // the size with code of its own
    if (code)
        fprintf(stderr, "classify: %s\n", digits_message(code));
    digits_close(&net);
    return code != 0;
}
