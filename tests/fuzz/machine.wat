;; A machine that runs programs of events, calls and a reply. See guests.rs, which fills in what is missing.
(module
  ;; IMPORTS
  (import "sandbox" "event" (func $event (param i32 i32 i32) (result i32)))
  (memory (export "memory") 8)
  (data (i32.const 1024) "PATHS")
  (data (i32.const 2048) "BUFFERS")

  (func (export "sandbox_abi") (result i32) (i32.const 2))
  (func (export "sandbox_init"))
  (func (export "sandbox_buffer") (param i32) (result i32) (i32.const 4096))
  (func (export "sandbox_interrupt") (result i32) (i32.const 8))
  (func (export "sandbox_spin") (loop (br 0)))

  (func $reply (param $at i32) (param $len i32) (result i64)
    (i64.or
      (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32))
      (i64.extend_i32_u (local.get $len))))

  ;; Honest replies are written each time, because calls may have written over them.
  (func $started (result i64)
    (i32.store8 (i32.const 16) (i32.const 0))
    (call $reply (i32.const 16) (i32.const 1)))
  ;; To its end, without a value, cell 1
  (func $ran (result i64)
    (i32.store (i32.const 32) (i32.const 0x01000001))
    (call $reply (i32.const 32) (i32.const 4)))

  ;; A hexadecimal digit's value
  (func $digit (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (i32.sub (local.get $byte)
      (select (i32.const 48) (i32.const 87) (i32.le_u (local.get $byte) (i32.const 57)))))

  (func (export "sandbox_call") (param $len i32) (result i64)
    (local $text i32) (local $size i32) (local $shift i32) (local $pc i32) (local $end i32) (local $op i32) (local $f i32)
    ;; Whatever is not `Run` is answered with `Started`.
    (if (i32.ne (i32.load8_u (i32.const 4096)) (i32.const 1))
      (then (return (call $started))))
    ;; The length of the code, seven bits in each byte.
    (local.set $text (i32.const 4097))
    (loop $more
      (local.set $op (i32.load8_u (local.get $text)))
      (local.set $size (i32.or (local.get $size)
        (i32.shl (i32.and (local.get $op) (i32.const 127)) (local.get $shift))))
      (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
      (local.set $text (i32.add (local.get $text) (i32.const 1)))
      (br_if $more (i32.ge_u (local.get $op) (i32.const 128))))
    ;; The program from its digits.
    (local.set $pc (i32.const 131072))
    (local.set $end (i32.add (local.get $pc) (i32.shr_u (local.get $size) (i32.const 1))))
    (block $decoded
      (loop $next
        (br_if $decoded (i32.ge_u (local.get $pc) (local.get $end)))
        (i32.store8 (local.get $pc) (i32.or
          (i32.shl (call $digit (local.get $text)) (i32.const 4))
          (call $digit (i32.add (local.get $text) (i32.const 1)))))
        (local.set $text (i32.add (local.get $text) (i32.const 2)))
        (local.set $pc (i32.add (local.get $pc) (i32.const 1)))
        (br $next)))
    (local.set $pc (i32.const 131072))
    (loop $step
      (if (i32.ge_u (local.get $pc) (local.get $end))
        (then (return (call $ran))))
      (local.set $op (i32.load8_u (local.get $pc)))
      (local.set $f (i32.load8_u offset=1 (local.get $pc)))
      (if (i32.eqz (local.get $op))
        (then (return (call $reply
          (i32.add (local.get $pc) (i32.const 1))
          (i32.sub (i32.sub (local.get $end) (local.get $pc)) (i32.const 1))))))
      (if (i32.eq (local.get $op) (i32.const 1))
        (then
          (drop (call $event (local.get $f)
            (i32.add (local.get $pc) (i32.const 4))
            (i32.load16_u offset=2 (local.get $pc))))
          (local.set $pc (i32.add (local.get $pc)
            (i32.add (i32.const 4) (i32.load16_u offset=2 (local.get $pc)))))
          (br $step)))
      ;; CALLS
      (local.set $pc (i32.add (local.get $pc) (i32.const 74)))
      (br $step))
    (unreachable)))
