import type { World } from "../support/world";

const reads = ["all", "get", "values"] as const;

/**
 * Counts how often statements read. Begun before anything else is done in a world, since some statements are prepared once
 * and kept. Answers a function that tells how many reads its body took.
 */
export function countingReads({ db: { $client: client } }: World): (body: () => Promise<void>) => Promise<number> {
	let count = 0;
	const { prepare } = client;
	// A connection gives the same statement for the same text.
	const known = new WeakSet<object>();
	client.prepare = function countCallsOf(this: typeof client, ...args: Parameters<typeof prepare>) {
		const statement = prepare.apply(this, args);
		if (known.has(statement)) return statement;
		known.add(statement);
		for (const name of reads) {
			const read = statement[name];
			const counted = (...values: unknown[]) => {
				count += 1;
				return Reflect.apply(read, statement, values);
			};
			Object.assign(statement, { [name]: counted });
		}
		return statement;
	} as typeof prepare;
	return async (body) => {
		const before = count;
		await body();
		return count - before;
	};
}
