import { buildAreas } from "../../../src/graphql/build";
import { areas } from "../../../src/graphql/schema";
import { provision, shop } from "../../areas/subscriptions/shop";
import type { World } from "../../support/world";
import { Documents, hostile, randomOf } from "./documents";
import { Pauses } from "./pauses";

/** Returns a forbidden answer; undefined where all is well. */
async function faultOf(ours: World, query: string): Promise<string | undefined> {
	const { status, body } = await ours.call("POST", "/graphql", { body: { query } });
	const errors: ReadonlyArray<{ extensions: { code: string } }> = body?.errors ?? [];
	const isOurs = errors.some(({ extensions }) => extensions.code === "UnexpectedError");
	return status !== 200 || isOurs
		? `${status} ${JSON.stringify(errors).slice(0, 500)} to ${query.slice(0, 2000)}`
		: undefined;
}

/** A shop with something of everything. */
export async function stocked(): Promise<World> {
	const ours = await shop();
	await provision(ours, { id: "sub", planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "extra", quantity: 1 }] });
	// No thread calls providers here, so nobody waits for their answers.
	Object.assign(ours.services, { stopping: AbortSignal.abort() });
	return ours;
}

/** Documents of one seed, all asked of one shop. Answers what went wrong, with the seed that shows it again. */
export async function fuzz(seed: number, runs: number, pauses = new Pauses()): Promise<string[]> {
	const ours = await stocked();
	const reported: string[] = [];
	ours.services.log.error = (entry: unknown) => reported.push(String((entry as { err?: unknown }).err));
	const { schema } = await buildAreas(areas);
	// Code and data that load with the first document belong to none.
	await faultOf(ours, "{ products { totalCount } }");
	const documents = new Documents(schema, randomOf(seed));
	const faults: string[] = [];
	for (let at = 0; at < runs; at += 1) {
		const query = documents.next();
		const fault = await pauses.during(`seed ${seed}, document ${at}: ${query}`, () => faultOf(ours, query));
		if (fault) faults.push(`seed ${seed}, document ${at}: ${fault} (${reported.splice(0).join("; ")})`);
	}
	return faults;
}

/** Every family, at sizes from none to more than any limit. */
export async function attack(pauses = new Pauses()): Promise<string[]> {
	const ours = await stocked();
	await faultOf(ours, "{ products { totalCount } }");
	const faults: string[] = [];
	for (const [family, make] of Object.entries(hostile))
		for (const size of [1, 2, 10, 60, 600, 3_000, 20_000]) {
			const query = make(size);
			const fault = await pauses.during(`${family}, ${size}`, () => faultOf(ours, query));
			if (fault) faults.push(`${family}, ${size}: ${fault}`);
		}
	return faults;
}
