import { expect, test } from "bun:test";
import fc from "fast-check";
import { world } from "../support/world";

test("a list walked by its cursors, in pages of any size, shows each row once and in order, also while rows are added", async () => {
	const ours = world();
	const ids: string[] = [];
	const add = async () => {
		const id = `c${ids.length}`;
		expect((await ours.call("POST", "/customers", { body: { id } })).status).toBe(201);
		ids.push(id);
	};
	for (let count = 0; count < 12; count += 1) await add();
	const page = async (query: string) => {
		const { status, body } = await ours.call("GET", `/customers?${query}`);
		expect(status).toBe(200);
		const seen: string[] = body.data.map(({ id }: { id: string }) => id);
		return { seen, ...(body.pagination as { next: string | null; prev: string | null }) };
	};
	const sizes = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 7 }), adds: fc.nat(1) }), {
		minLength: 20,
		maxLength: 20,
	});
	await fc.assert(
		fc.asyncProperty(sizes, async (pages) => {
			const before = ids.toReversed();
			const forward: string[] = [];
			let last: Awaited<ReturnType<typeof page>> | undefined;
			for (const { limit, adds } of pages) {
				last = await page(`limit=${limit}${last?.next ? `&after=${last.next}` : ""}`);
				expect(last.seen.length).toBeLessThanOrEqual(limit);
				forward.push(...last.seen);
				if (adds > 0 && ids.length < 40) await add();
				if (last.next === null) break;
			}
			// Newer rows come before the first page.
			expect(forward).toEqual(before.slice(0, forward.length));
			if (last?.next === null) expect(forward).toEqual(before);
			// And back: the same rows, down to the first of all, and the new ones.
			const back: string[] = [...(last?.seen ?? [])];
			let at = last;
			for (let turn = 0; at?.prev && turn < 60; turn += 1) {
				at = await page(`limit=${pages[turn % pages.length]?.limit}&before=${at.prev}`);
				back.unshift(...at.seen);
			}
			expect(at?.prev).toBeNull();
			const end = ids.toReversed();
			expect(back).toEqual(end.slice(0, back.length));
			expect(back.length).toBeGreaterThanOrEqual(forward.length);
		}),
		{ numRuns: 8 },
	);
});
