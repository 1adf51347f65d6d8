// arc4random for the wheel's code generator: glibc has it from 2.36 on, and all else that LLVM uses
// is older.
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void);

uint32_t arc4random(void) {
    uint32_t number = 0;
    while (getrandom(&number, sizeof number, 0) != sizeof number)
        ;
    return number;
}
