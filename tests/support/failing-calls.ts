import { dlopen, ptr } from "bun:ffi";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into the server's process before the program: from SIGUSR2 on the kernel refuses the system calls that
 * FAILING_CALLS names, such as "fsync,fdatasync=5" (the error's number), in all threads and for good. It is done by a
 * seccomp filter, which a Linux process may set for itself: no compiler, no rights, and nothing of the program is
 * replaced. What it cannot do: fail for one file only, fail once, or write half a page.
 */
const numbers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
	x64: { pread64: 17, pwrite64: 18, fsync: 74, fdatasync: 75, seccomp: 317 },
	arm64: { pread64: 67, pwrite64: 68, fsync: 82, fdatasync: 83, seccomp: 277 },
};

const calls = numbers[process.arch];

/** Whether calls can be made to fail here. */
export const canFailCalls = process.platform === "linux" && calls !== undefined;

const noNewPrivileges = 38;
const setModeFilter = 1n;
const allThreads = 1n;
const [load, jumpIfEqual, answer] = [0x20, 0x15, 0x06];
const [allow, fail] = [0x7fff_0000, 0x0005_0000];

function failCalls(names: readonly string[], error: number): void {
	const libc = dlopen("libc.so.6", {
		prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
		syscall: { args: ["i64", "u64", "u64", "ptr"], returns: "i64" },
	});
	// Load the call's number; for each name jump to the end when it is that; allow; fail.
	const steps: Array<readonly [code: number, yes: number, no: number, value: number]> = [
		[load, 0, 0, 0],
		...names.map((name, at) => [jumpIfEqual, names.length - at, 0, calls?.[name] ?? 0] as const),
		[answer, 0, 0, allow],
		[answer, 0, 0, fail | error],
	];
	const code = new DataView(new ArrayBuffer(steps.length * 8));
	for (const [at, [instruction, yes, no, value]] of steps.entries()) {
		code.setUint16(at * 8, instruction, true);
		code.setUint8(at * 8 + 2, yes);
		code.setUint8(at * 8 + 3, no);
		code.setUint32(at * 8 + 4, value, true);
	}
	const program = new DataView(new ArrayBuffer(16));
	program.setUint16(0, steps.length, true);
	program.setBigUint64(8, BigInt(ptr(code)), true);
	libc.symbols.prctl(noNewPrivileges, 1, 0, 0, 0);
	const result = libc.symbols.syscall(calls?.seccomp ?? 0, setModeFilter, allThreads, ptr(program));
	if (result !== 0n) throw new Error(`seccomp answered ${result}`);
}

const wanted = process.env.FAILING_CALLS;
if (wanted !== undefined && isMainThread) {
	const [names = "", error = ""] = wanted.split("=");
	process.on("SIGUSR2", () => {
		failCalls(names.split(","), Number(error));
		process.stdout.write("calls fail from now on\n");
	});
}
