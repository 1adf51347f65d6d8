// Prints what the graph of forms.mg computes from numbers that are the same everywhere. Built
// against forms.h, also for other CPUs.
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 90, COLUMNS = 301, OUTPUTS = 10 };

static float *some_numbers(int n, unsigned seed) {
    float *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; x && i < n; i++) {
        seed = seed * 1664525 + 1013904223; // Numerical Recipes
        x[i] = (float)(seed >> 8) / (1 << 23) - 1;
    }
    return x;
}

int main(void) {
    static const int sizes[OUTPUTS] = {
        ROWS * COLUMNS, ROWS * COLUMNS, 9 * COLUMNS,    ROWS,        ROWS * COLUMNS * 2,
        COLUMNS,        COLUMNS * ROWS, ROWS * COLUMNS, ROWS * ROWS, (ROWS - 2) * (COLUMNS - 2)};
    float *o[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++)
        o[i] = some_numbers(sizes[i], 7);
    forms_inputs in = {some_numbers(ROWS * COLUMNS, 1), some_numbers(COLUMNS, 2)};
    forms_outputs out = {o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9]};
    forms_instance forms;
    int code = forms_open(&forms);
    if (!code)
        code = forms_bind(&forms, NULL, NULL, 0);
    if (!code)
        code = forms_run(&forms, &in, &out);
    if (code)
        puts(forms_message(code));
    for (int i = 0; i < OUTPUTS; i++)
        for (int j = 0; j < sizes[i] && !code; j++)
            printf("%.9g\n", o[i][j]);
    forms_close(&forms);
    return code != 0;
}
