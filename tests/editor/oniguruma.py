"""Calls Oniguruma through ctypes. TextMate grammars are written for this library of regular expressions."""
import ctypes

POINTER = ctypes.c_void_p
NOT_FOUND = -1


class Region(ctypes.Structure):
    _fields_ = [("allocated", ctypes.c_int), ("count", ctypes.c_int), ("begin", ctypes.POINTER(ctypes.c_int)),
                ("end", ctypes.POINTER(ctypes.c_int))]


class Pattern:
    library = None

    def __init__(self, text):
        if not Pattern.library:
            library = Pattern.library = ctypes.CDLL("libonig.so.5")
            library.onig_region_new.restype = ctypes.POINTER(Region)
            self.check(library.onig_initialize((POINTER * 1)(self.address("OnigEncodingUTF8")), 1))
        source, self.regex, error = text.encode(), POINTER(), (ctypes.c_char * 256)()
        self.keep = ctypes.create_string_buffer(source)
        begin = ctypes.addressof(self.keep)
        syntax = POINTER.in_dll(self.library, "OnigDefaultSyntax")
        self.check(self.library.onig_new(ctypes.byref(self.regex), POINTER(begin), POINTER(begin + len(source)), 0,
                                         POINTER(self.address("OnigEncodingUTF8")), syntax, error), text)

    def address(self, name):
        return ctypes.addressof(ctypes.c_char.in_dll(self.library, name))

    def check(self, status, text=""):
        if status < NOT_FOUND:
            message = (ctypes.c_char * 256)()
            self.library.onig_error_code_to_str(message, status)
            raise ValueError(f"Oniguruma: {message.value.decode()}: {text}")

    def search(self, line, at):
        """Returns the byte spans of the first match from `at` on and of its groups, or None."""
        buffer, region = ctypes.create_string_buffer(line), self.library.onig_region_new()
        begin = ctypes.addressof(buffer)
        end = POINTER(begin + len(line))
        found = self.library.onig_search(self.regex, POINTER(begin), end, POINTER(begin + at), end, region, 0)
        self.check(found)
        spans = [(region[0].begin[i], region[0].end[i]) for i in range(region[0].count)] if found >= 0 else None
        self.library.onig_region_free(region, 1)
        return spans
