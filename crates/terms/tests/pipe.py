"""Answers SMT-LIB 2 commands from standard input, like `z3 -in`: `pipe.py LIBRARY`."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.Z3_mk_config.restype = ctypes.c_void_p
library.Z3_mk_context.restype = ctypes.c_void_p
library.Z3_mk_context.argtypes = [ctypes.c_void_p]
library.Z3_eval_smtlib2_string.restype = ctypes.c_char_p
library.Z3_eval_smtlib2_string.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
context = library.Z3_mk_context(library.Z3_mk_config())
for line in sys.stdin:
    sys.stdout.write(library.Z3_eval_smtlib2_string(context, line.encode()).decode())
    sys.stdout.flush()
