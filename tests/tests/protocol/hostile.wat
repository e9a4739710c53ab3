;; A guest that breaks the rules. The first byte of the code that it is given says how; `k` is an honest answer.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $fd_readdir (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "sandbox" "event" (func $event (param i32 i32 i32) (result i32)))
  (memory (export "memory") 4)
  (global $buffer (mut i32) (i32.const 4096))

  ;; Started
  (data (i32.const 16) "\00")
  ;; Ran, to its end, without a value, cell 1
  (data (i32.const 32) "\01\00\00\01")
  ;; no message at all
  (data (i32.const 48) "\ff\ff\ff\ff\ff\ff\ff\ff")
  ;; a message and a byte too many
  (data (i32.const 64) "\01\00\00\01\00")
  ;; a value of four gigabytes that is not there
  (data (i32.const 80) "\01\00\01\ff\ff\ff\ff\0f")
  ;; a value that is no text
  (data (i32.const 100) "\01\00\01\02\ff\fe\01")
  ;; an error whose name is not there
  (data (i32.const 128) "\01\02\ff\ff\ff\ff\0f\00")
  ;; one form of a displayed object
  (data (i32.const 160) "\01\01a\01b")
  ;; a list with one buffer that lies outside of memory
  (data (i32.const 200) "\00\ff\ff\ff\ff\ff\00\00")

  (func $reply (param $at i32) (param $len i32) (result i64)
    (i64.or
      (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32))
      (i64.extend_i32_u (local.get $len))))
  (func $recurse (param $n i32) (result i32)
    (i32.add (call $recurse (i32.add (local.get $n) (i32.const 1))) (i32.const 1)))
  (func (export "sandbox_abi") (result i32) (i32.const 2))
  (func (export "sandbox_init"))
  (func (export "sandbox_buffer") (param i32) (result i32) (global.get $buffer))
  (func (export "sandbox_interrupt") (result i32) (i32.const 8))
  (func (export "sandbox_spin") (loop (br 0)))

  (func (export "sandbox_call") (param $len i32) (result i64)
    (local $how i32)
    ;; `Complete` is answered with thirty million empty completions, a byte each.
    (if (i32.eq (i32.load8_u (i32.const 4096)) (i32.const 2))
      (then
        (drop (memory.grow (i32.const 512)))
        (i64.store (i32.const 0x40000) (i64.const 0x00000f8080800002))
        (return (call $reply (i32.const 0x40000) (i32.const 0x01e00006)))))
    ;; Whatever else is not `Run` is answered with `Started`.
    (if (i32.ne (i32.load8_u (i32.const 4096)) (i32.const 1))
      (then (return (call $reply (i32.const 16) (i32.const 1)))))
    (local.set $how (i32.load8_u (i32.const 4098)))

    ;; o: a reply outside of memory
    (if (i32.eq (local.get $how) (i32.const 0x6f))
      (then (return (call $reply (i32.const 0xfffffff0) (i32.const 4)))))
    ;; h: a reply as long as the address space
    (if (i32.eq (local.get $how) (i32.const 0x68))
      (then (return (call $reply (i32.const 16) (i32.const 0xffffffff)))))
    ;; g, t, s, u, e, w: replies that are none
    (if (i32.eq (local.get $how) (i32.const 0x67))
      (then (return (call $reply (i32.const 48) (i32.const 8)))))
    (if (i32.eq (local.get $how) (i32.const 0x74))
      (then (return (call $reply (i32.const 64) (i32.const 5)))))
    (if (i32.eq (local.get $how) (i32.const 0x73))
      (then (return (call $reply (i32.const 80) (i32.const 8)))))
    (if (i32.eq (local.get $how) (i32.const 0x75))
      (then (return (call $reply (i32.const 100) (i32.const 7)))))
    (if (i32.eq (local.get $how) (i32.const 0x65))
      (then (return (call $reply (i32.const 128) (i32.const 8)))))
    (if (i32.eq (local.get $how) (i32.const 0x77))
      (then (return (call $reply (i32.const 16) (i32.const 1)))))
    ;; z: nothing
    (if (i32.eq (local.get $how) (i32.const 0x7a))
      (then (return (call $reply (i32.const 0) (i32.const 0)))))
    ;; x: a trap
    (if (i32.eq (local.get $how) (i32.const 0x78)) (then (unreachable)))
    ;; l: an endless loop that looks at no interrupt
    (if (i32.eq (local.get $how) (i32.const 0x6c)) (then (loop (br 0))))
    ;; r: endless recursion
    (if (i32.eq (local.get $how) (i32.const 0x72)) (then (drop (call $recurse (i32.const 0)))))
    ;; m: all the memory that there is
    (if (i32.eq (local.get $how) (i32.const 0x6d))
      (then
        (loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
        (unreachable)))
    ;; b: from now on a request buffer outside of memory
    (if (i32.eq (local.get $how) (i32.const 0x62))
      (then (global.set $buffer (i32.const 0xfffffff0))))
    ;; v: events that are none
    (if (i32.eq (local.get $how) (i32.const 0x76))
      (then
        (drop (call $event (i32.const 1) (i32.const 0xfffffff0) (i32.const 100)))
        (drop (call $event (i32.const 1) (i32.const 0) (i32.const 0xffffffff)))
        (drop (call $event (i32.const 1) (i32.const 48) (i32.const 8)))
        (drop (call $event (i32.const 1) (i32.const 0) (i32.const 0)))
        (drop (call $event (i32.const 99) (i32.const 160) (i32.const 5)))))
    ;; d: displays without end
    (if (i32.eq (local.get $how) (i32.const 0x64))
      (then (loop (drop (call $event (i32.const 1) (i32.const 160) (i32.const 5))) (br 0))))
    ;; f: system calls with addresses and lengths outside of memory
    (if (i32.eq (local.get $how) (i32.const 0x66))
      (then
        (drop (call $fd_write (i32.const 1) (i32.const 0xfffffff0) (i32.const 1) (i32.const 0)))
        (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 0x7fffffff) (i32.const 0)))
        (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 0x20000000) (i32.const 0)))
        (drop (call $fd_write (i32.const 1) (i32.const 200) (i32.const 1) (i32.const 0)))
        (drop (call $fd_write (i32.const 1) (i32.const 32) (i32.const 0) (i32.const 0xffffffff)))
        (drop (call $fd_write (i32.const -1) (i32.const 32) (i32.const 0) (i32.const 300)))
        (drop (call $fd_read (i32.const 0) (i32.const 200) (i32.const 1) (i32.const 300)))
        (drop (call $fd_read (i32.const 0) (i32.const 0xfffffffc) (i32.const 9) (i32.const 300)))
        (drop (call $fd_readdir (i32.const 3) (i32.const 0) (i32.const 0xffffffff) (i64.const -1) (i32.const 300)))
        (drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 0xffffff00) (i32.const 0xffffffff)
          (i32.const -1) (i64.const -1) (i64.const -1) (i32.const -1) (i32.const 0xffffffff)))
        (drop (call $path_open (i32.const 3) (i32.const 1) (i32.const 48) (i32.const 8)
          (i32.const 9) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 300)))
        (drop (call $poll_oneoff (i32.const 0) (i32.const 0) (i32.const 0x7fffffff) (i32.const 300)))
        (drop (call $poll_oneoff (i32.const 0xfffffff0) (i32.const 0) (i32.const 1) (i32.const 300)))
        (drop (call $poll_oneoff (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0xffffffff)))
        (drop (call $random_get (i32.const 0xfffffff0) (i32.const 100)))
        (drop (call $random_get (i32.const 400) (i32.const 0xffffffff)))
        (drop (call $clock_time_get (i32.const 77) (i64.const -1) (i32.const 300)))
        (drop (call $clock_time_get (i32.const 0) (i64.const 0) (i32.const 0xfffffffe)))
        (drop (call $environ_get (i32.const 0xfffffffc) (i32.const 0xfffffffc)))))
    ;; p: an exit
    (if (i32.eq (local.get $how) (i32.const 0x70)) (then (call $proc_exit (i32.const 7))))
    (call $reply (i32.const 32) (i32.const 4)))
)
