import { describe, expect, test } from "bun:test";
import { data } from "../ask";
import { attack, fuzz, stocked } from "./run";

test("a relation requests nothing except a key of its own", async () => {
	const ours = await stocked();
	const [own] = (await data(ours, "{ customers { edges { node { id } } } }")).customers.edges;
	const query = (inner: string) =>
		`query ($id: String) { customers(filter: { id: { eq: $id }, promotionalEntitlements: ${inner} }) { totalCount } }`;
	for (const inner of ["{}", "{ status: {} }", "{ or: [] }"])
		expect((await data(ours, query(inner), { id: own.node.id })).customers).toEqual({ totalCount: 0 });
});

describe("no operation is a fault of ours", () => {
	test.each([1, 2])(
		"random documents that the schema takes, seed %i",
		async (seed) => {
			expect(await fuzz(seed, 150)).toEqual([]);
		},
		60_000,
	);

	test("documents of hostile callers", async () => {
		expect(await attack()).toEqual([]);
	}, 60_000);
});
