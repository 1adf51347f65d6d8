// A context for tests on an OpenCL device. They run in one process, since a loaded driver does not
// survive a fork. Without a device the test is skipped.
#ifndef MG_TESTS_UNIT_DEVICE_H
#define MG_TESTS_UNIT_DEVICE_H

#include "runtime/device.h"
#include "tests/unit/check.h"

#include <stdio.h>

static inline int mg_test_on_device(const char *name, MgContext **context,
                                    const TTest *const *tests, size_t n) {
    MgDeviceInfo *list;
    uint32_t devices;
    char *message = NULL;
    if (mg_devices(&list, &devices, &message)) {
        printf("skipped: %s\n", message);
        free(message);
        return 77;
    }
    free(list);
    if (mg_context_new(NULL, context))
        return EXIT_FAILURE;
    int status = mg_test_run(mg_test_suite(name, NULL, NULL, tests, n), CK_NOFORK);
    mg_context_free(*context);
    return status;
}

#endif
