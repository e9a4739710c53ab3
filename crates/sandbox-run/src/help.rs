//! The texts of `--help` that are not about one option.

/// The forms of the command line.
pub const USAGE: &str = "sandbox-run [OPTIONS] -c CODE [ARGS]...
       sandbox-run [OPTIONS] FILE [ARGS]...
       sandbox-run [OPTIONS] - [ARGS]...
       sandbox-run <COMMAND>";

/// After the options of `-h`. Lines are broken here for a terminal of 80 columns.
pub const SHORT: &str = "\
Exit status: the program's own; 137 memory limit, 124 another limit, 125 our
failure, 2 usage. `--help` tells more.";

/// After the options of `--help`.
pub const LONG: &str = "\
Examples:
  sandbox-run -c 'print(6 * 7)'
  sandbox-run --timeout 5s --memory 128MiB job.py input.csv
  sandbox-run --mount .:/work:ro --workdir /work report.py
  generate-code | sandbox-run - | less
  sandbox-run --policy locked-down job.py
  sandbox-run --unpack project.tar --pack changed.tar job.py
  sandbox-run policy explain data-analysis --mount .:/mnt/in
  sandbox-run --json -c '6 * 7'
  sandbox-run repl

A program behaves as under python3: -c and FILE echo no value, sys.argv and
__main__ are set, and standard input is the program's. Its output is passed on
as it comes; all of it, unless --max-output is given. With --json and --stream
the code runs as a cell: the value of its last expression is in the result. The
code sees nothing of this machine but what --mount, --env and --policy give it.

--unpack and --pack take files in and out of the workspace, which is gone with
the run otherwise. They may name the same FILE. What code left there is its own
work: unpack it where nothing trusts it.

Options stand before FILE; what follows FILE belongs to the program. After
-c CODE, options are read until the first plain word or `--`. Ctrl-C interrupts
the program, a second one ends it at once.

Exit status:
  0-255  the program's own: 0 at its end, 1 after an error that nobody caught,
         else what it asked for
  2      also: wrong usage, a policy that makes no sense, an unreadable file,
         an archive that cannot be unpacked
  124    stopped by the limit on time, fuel, output or calls to the sandbox
  125    sandbox-run itself failed
  130    interrupted by Ctrl-C
  137    stopped by the limit on memory
  139    the interpreter crashed
  141    the reader of standard output went away

Files:
  interpreters, unpacked at the first run
         $SANDBOX_RUN_CACHE, else `sandbox-run` in the user's cache folder
  what was typed in the REPL
         `sandbox-run/history` in the user's data folder
  `sandbox-run doctor` shows where both are.

Environment:
  SANDBOX_RUN_CACHE  the folder for unpacked interpreters
  NO_COLOR           no colours; without it, colours on terminals only";
