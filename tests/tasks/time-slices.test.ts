import { expect, test } from "bun:test";
import { timeSlices } from "../../src/tasks/time-slices";

test("a job that has much to do gives way after some milliseconds of work, and other jobs come in between", async () => {
	const clock = { ms: 0 };
	const turns = timeSlices({ now: () => clock.ms });
	const done: string[] = [];
	const job = async (name: string, pieces: number, pieceMs: number) => {
		for (let left = pieces; left > 0; ) {
			await turns.next();
			do {
				clock.ms += pieceMs;
				left -= 1;
				done.push(name);
			} while (left > 0 && !turns.isOver());
		}
	};
	await Promise.all([job("long", 8, 1), job("slow", 2, 50), job("short", 1, 1)]);
	expect(done.join(" ")).toBe("long long long long slow short long long long long slow");
});

test("waiting work on the event loop is served between two turns", async () => {
	const turns = timeSlices();
	let served = 0;
	const requests = setInterval(() => {
		served += 1;
	}, 0);
	for (let turn = 0; served < 3; turn += 1) {
		await turns.next();
		if (turn > 1_000_000) throw new Error("nobody was served");
	}
	clearInterval(requests);
	expect(served).toBeGreaterThanOrEqual(3);
});

test("a job hears that what it wrote in its last turn was not kept", async () => {
	let isFull = false;
	const turns = timeSlices({
		committed: async () => {
			if (isFull) throw new Error("the disk is full");
		},
	});
	await turns.next();
	isFull = true;
	await expect(turns.next()).rejects.toThrow("the disk is full");
	isFull = false;
	await turns.next();
});
