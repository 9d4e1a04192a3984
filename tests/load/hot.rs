// Context: load.  Rust: threads, a panic that is caught, a child process.
use std::process::Command;
use std::thread;

#[inline(never)]
fn hot(n: u64) -> u64 {
    let mut x = 1u64;
    for i in 0..n {
        x = std::hint::black_box(x.wrapping_mul(6364136223846793005).wrapping_add(i));
    }
    x
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let threads: Vec<_> = (0..4)
        .map(|_| thread::spawn(|| (0..50).map(|_| hot(1_000_000)).fold(0u64, u64::wrapping_add)))
        .collect();
    let sums: Vec<u64> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    let caught = thread::spawn(|| panic!("meant")).join().is_err();
    let child = Command::new("/bin/echo").arg("child").output().unwrap();
    println!("{} {} {} {:?}", sums[0], sums[0] == sums[3], caught, child.stdout);
}
