// process ROUNDS COMMAND…: runs a command ROUNDS times without its output, and prints the median
// and the least wall time in seconds and the peak memory in MiB: "median min peak".
#include "bench.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rounds = argc > 2 ? atoi(argv[1]) : 0;
    double times[1000];
    long peak = 0;
    if (rounds < 1 || rounds > 1000)
        return 2;
    for (int r = 0; r < rounds; r++) {
        double begin = mg_now_seconds();
        pid_t child = fork();
        if (child == 0) {
            int null = open("/dev/null", O_WRONLY);
            dup2(null, 1);
            execvp(argv[2], argv + 2);
            _exit(127);
        }
        int status;
        struct rusage usage;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status)
            return 1;
        times[r] = mg_now_seconds() - begin;
        peak = usage.ru_maxrss > peak ? usage.ru_maxrss : peak;
    }
    double median = bench_median(times, rounds);
    printf("%.5f %.5f %.1f\n", median, times[0], (double)peak / 1024);
    return 0;
}
