// Prints --help, the man page and the shells' completion, all from the tables.
#include "tools/options_table.h"

#include "support/text.h"

#include <stdio.h>

static const char about[] = "mgc compiles and runs neural networks written in MG.";
static const char files[] =
    "FILE may be -, standard input. FILE.onnx or FILE.mlir may stand wherever FILE.mg "
    "does, except for fmt.";
static const char statuses[] =
    "0 done, 1 a file is wrong, 2 wrong usage, 3 a run or the device failed.";

// `--set=DIM=SIZE`, `-O LEVEL`
static void flag_text(const MgcFlag *flag, char *out, size_t size) {
    bool optional = flag->kind == SWITCH_AND_TEXT, brief = flag->name[1] != '-';
    snprintf(out, size, "%s%s%s%s%s", flag->name, optional ? "[" : "",
             flag->value ? brief ? (flag->kind == NUMBER ? "" : " ") : "=" : "",
             flag->value ? flag->value : "", optional ? "]" : "");
}

// ---------------------------------------------------------------- --help
// Prints text, broken between words, so that no line is wider than the page. All its lines begin in
// column `left`.
static void print_wrapped(const char *text, int left) {
    enum { PAGE = 110 };
    int column = left;
    while (*text) {
        size_t word = strcspn(text, " ");
        int wide = (int)mg_columns(text, word);
        if (column > left && column + 1 + wide > PAGE) {
            printf("\n%*s", left, "");
            column = left;
        } else if (column > left) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += wide;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_help(unsigned shown) {
    enum { COMMAND = 32, LEFT = 28 }; // the columns before the texts
    printf("%s\n\n", about);
    for (size_t c = 0; c < mgc_n_commands; c++) {
        const MgcCommandRow *row = &mgc_commands[c];
        int width = COMMAND - (int)strlen(row->name) - (row->name[0] ? 1 : 0);
        if (!(row->command & shown))
            continue;
        printf("  mgc %s%s%-*s  ", row->name, row->name[0] ? " " : "", width, row->arguments);
        print_wrapped(row->help, (int)strlen("  mgc ") + COMMAND + 2);
    }
    printf("\n%s\n\n", files);
    for (size_t i = 0; i < mgc_n_flags; i++) {
        char left[64];
        if (!(mgc_flags[i].commands & shown))
            continue;
        flag_text(&mgc_flags[i], left, sizeof left);
        int columns = (int)mg_columns(left, strlen(left)), own_line = columns > LEFT;
        printf("  %s%s%*s  ", left, own_line ? "\n  " : "", own_line ? LEFT : LEFT - columns, "");
        print_wrapped(mgc_flags[i].help, LEFT + 4);
    }
    printf("\nExit status: %s\n", statuses);
}

// ---------------------------------------------------------------- the man page
// Prints text for roff: escapes backslashes and dashes, and guards a point or quote that begins a
// line.
static void roff(const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (!strncmp(text, "…", 3)) { // the page is ASCII
            fputs("\\&...", stdout);
            text += 2;
        } else
            putchar(*text);
}

static void roff_flags(unsigned shown) {
    for (size_t i = 0; i < mgc_n_flags; i++) {
        char left[64];
        if (!(mgc_flags[i].commands & shown))
            continue;
        flag_text(&mgc_flags[i], left, sizeof left);
        fputs(".TP\n.B ", stdout);
        roff(left);
        putchar('\n');
        roff(mgc_flags[i].help);
        putchar('\n');
    }
}

static void roff_command(const MgcCommandRow *row) {
    fputs(".SS \"mgc ", stdout);
    roff(row->name);
    fputs(row->name[0] ? " " : "", stdout);
    roff(row->arguments);
    fputs("\"\n", stdout);
    roff(row->help);
    puts(".");
    roff_flags(row->command == MGC_BUILD ? MGC_BUILD | MGC_EMIT : row->command);
}

static void print_man(void) {
    puts(".TH MGC 1 \"\" \"MG\" \"User Commands\"\n.SH NAME\n"
         "mgc \\- compiles and runs neural networks written in MG\n.SH SYNOPSIS");
    for (size_t c = 0; c < mgc_n_commands; c++) {
        fputs(c ? ".br\n.B mgc " : ".B mgc ", stdout);
        roff(mgc_commands[c].name);
        fputs("\n.RI [ OPTIONS ] \" ", stdout);
        roff(mgc_commands[c].arguments);
        puts("\"");
    }
    printf(".SH DESCRIPTION\n%s\n%s\n.SH COMMANDS\n", about, files);
    for (size_t c = 0; c < mgc_n_commands; c++)
        if (mgc_commands[c].command != MGC_EMIT) // its flags are those of mgc FILE
            roff_command(&mgc_commands[c]);
    fputs(".SH EXIT STATUS\n", stdout);
    puts(statuses);
}

// ---------------------------------------------------------------- completion
// Is a flag's value a choice, or a TEXT that lists words in the same form?
static bool has_words(const MgcFlag *flag) {
    return flag->value && strchr(flag->value, '|') &&
           !strpbrk(flag->value, ".<ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static void print_words(const MgcFlag *flag, const char *before) {
    for (const char *at = flag->value; *at;) {
        size_t n = strcspn(at, "|");
        printf("%s%.*s", before, (int)n, at);
        at += n + (at[n] == '|');
    }
}

static bool takes_value(const MgcFlag *flag) {
    return flag->value && flag->kind != SWITCH_AND_TEXT;
}

static void print_flag_names(unsigned shown) {
    for (size_t i = 0; i < mgc_n_flags; i++)
        if (mgc_flags[i].commands & shown)
            printf(" %s%s", mgc_flags[i].name,
                   takes_value(&mgc_flags[i]) && mgc_flags[i].name[1] == '-' ? "=" : "");
}

static void print_bash(void) {
    puts("_mgc() {\n"
         "    local cur=${COMP_LINE:0:COMP_POINT} command=${COMP_WORDS[1]} words=\n"
         "    cur=${cur##*[[:space:]]}\n"
         "    case $cur in");
    for (size_t i = 0; i < mgc_n_flags; i++)
        if (has_words(&mgc_flags[i])) {
            printf("    %s=*) words=\"", mgc_flags[i].name);
            print_words(&mgc_flags[i], " ");
            puts("\" cur=${cur#*=} ;;");
        }
    puts("    --*=*) ;;\n    -*) case $command in");
    for (size_t c = 0; c < mgc_n_commands; c++)
        if (mgc_commands[c].name[0]) {
            printf("        %s) words=\"", mgc_commands[c].name);
            print_flag_names(mgc_commands[c].command);
            puts("\" ;;");
        }
    fputs("        *) words=\"", stdout);
    print_flag_names(MGC_BUILD | MGC_EMIT);
    puts("\" ;;\n        esac ;;\n    *) if [ \"$COMP_CWORD\" = 1 ]; then");
    fputs("        words=\"", stdout);
    for (size_t c = 0; c < mgc_n_commands; c++)
        printf(" %s", mgc_commands[c].name);
    puts("\"\n        fi ;;\n    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "    if [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2> "
         "/dev/null; fi\n"
         "    if [ \"${#COMPREPLY[@]}\" = 0 ] && [ \"${cur#-}\" = \"$cur\" ]; then\n"
         "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
         "    fi\n}\ncomplete -o filenames -F _mgc mgc");
}

// Prints a text inside single quotes, and escapes quotes and the special characters.
static void quoted(const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(special, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh(void) {
    puts("#compdef mgc\nlocal -a commands flags\ncommands=(");
    for (size_t c = 0; c < mgc_n_commands; c++)
        if (mgc_commands[c].name[0]) {
            printf("    '%s:", mgc_commands[c].name);
            quoted(mgc_commands[c].help, ":\\");
            puts("'");
        }
    puts(")\ncase $words[2] in");
    for (size_t c = mgc_n_commands; c-- > 0;) {
        const char *name = mgc_commands[c].name;
        if (mgc_commands[c].command == MGC_EMIT)
            continue;
        printf("%s) flags=(\n", name[0] ? name : "*");
        unsigned shown = mgc_commands[c].command | (name[0] ? 0 : MGC_EMIT);
        for (size_t i = 0; i < mgc_n_flags; i++) {
            const MgcFlag *flag = &mgc_flags[i];
            if (!(flag->commands & shown))
                continue;
            bool value = flag->value != NULL, brief = flag->name[1] != '-';
            printf("    '%s%s[", flag->name, !value ? "" : brief ? "+" : "=-");
            quoted(flag->help, "[]\\:");
            printf("]%s", !value ? "" : has_words(flag) ? ":value:(" : ":value:_files");
            if (has_words(flag)) {
                print_words(flag, " ");
                putchar(')');
            }
            puts("'");
        }
        puts(") ;;");
    }
    puts("esac\n_arguments -s $flags '1: :{_describe command commands; _files}' '*:file:_files'");
}

static void print_fish(void) {
    for (size_t c = 0; c < mgc_n_commands; c++)
        if (mgc_commands[c].name[0]) {
            printf("complete -c mgc -n __fish_use_subcommand -a %s -d '", mgc_commands[c].name);
            quoted(mgc_commands[c].help, "\\");
            puts("'");
        }
    for (size_t i = 0; i < mgc_n_flags; i++) {
        const MgcFlag *flag = &mgc_flags[i];
        bool brief = flag->name[1] != '-', everywhere = flag->commands & MGC_BUILD;
        printf("complete -c mgc%s", everywhere ? "" : " -n '__fish_seen_subcommand_from");
        for (size_t c = 0; !everywhere && c < mgc_n_commands; c++)
            if (mgc_commands[c].name[0] && mgc_commands[c].command & flag->commands)
                printf(" %s", mgc_commands[c].name);
        printf("%s -%c %s", everywhere ? "" : "'", brief ? 's' : 'l', flag->name + (brief ? 1 : 2));
        if (has_words(flag)) {
            fputs(" -x -a '", stdout);
            print_words(flag, " ");
            putchar('\'');
        } else if (takes_value(flag))
            fputs(" -r", stdout);
        fputs(" -d '", stdout);
        quoted(flag->help, "\\");
        puts("'");
    }
}

int mgc_help(const MgcOptions *o) {
    static void (*const completions[])(void) = {NULL, print_bash, print_zsh, print_fish};
    unsigned shown = o->command && o->command != MGC_HELP ? o->command : ~0u;
    if (o->man)
        print_man();
    else if (o->completion)
        completions[o->completion]();
    else
        print_help(shown == MGC_BUILD ? shown | MGC_EMIT : shown);
    return 0;
}
