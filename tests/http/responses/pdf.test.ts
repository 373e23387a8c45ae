import { expect, test } from "bun:test";
import { pdfWaits } from "../../../src/http/responses/pdf";

const never = new AbortController().signal;
const bytes = Buffer.from("%PDF-");
const roomy = { waitMsMax: 5000, waitersMax: 10 };

test("looks until it is there", async () => {
	let looks = 0;
	const wait = pdfWaits(roomy, never);
	expect(await wait("INV-1", () => (++looks === 3 ? bytes : undefined), never)).toBe(bytes);
	expect(looks).toBe(3);
});

test("fails when the time is over, and not before", async () => {
	const start = performance.now();
	await expect(pdfWaits({ ...roomy, waitMsMax: 60 }, never)("INV-1", () => undefined, never)).rejects.toMatchObject({
		status: 503,
		message: "The PDF of INV-1 is not ready yet; ask again in 2 seconds.",
		headers: { "Retry-After": "2" },
	});
	expect(performance.now() - start).toBeGreaterThanOrEqual(60);
});

test.each(["the caller has gone", "the service stops"])("ends when %s", async (who) => {
	const [caller, stopping] = [new AbortController(), new AbortController()];
	const start = performance.now();
	const waiting = pdfWaits(roomy, stopping.signal)("INV-1", () => undefined, caller.signal);
	(who === "the caller has gone" ? caller : stopping).abort();
	await expect(waiting).rejects.toMatchObject({ status: 503 });
	expect(performance.now() - start).toBeLessThan(2000);
});

test("sends away who comes while too many wait, and nobody afterwards, however the others ended", async () => {
	const wait = pdfWaits({ ...roomy, waitersMax: 2 }, never);
	let ready = false;
	const look = () => (ready ? bytes : undefined);
	const first = wait("INV-1", look, never);
	const failing = wait(
		"INV-2",
		() => {
			throw new Error("disk");
		},
		never,
	);
	await expect(wait("INV-3", () => bytes, never)).rejects.toMatchObject({ status: 503 });
	await expect(failing).rejects.toThrow("disk");
	expect(await wait("INV-3", () => bytes, never)).toBe(bytes);
	ready = true;
	expect(await first).toBe(bytes);
});
