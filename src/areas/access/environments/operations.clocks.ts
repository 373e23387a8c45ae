import { isNotNull } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { ReadClocks } from "../../../kernel/storage/transactions";
import type { Database } from "../../../kernel/work";
import { environments } from "../table";

/** Returns the frozen test clocks of a main.db. Every transaction takes its environment's time from here. */
export function testClocksIn(db: Database): ReadClocks {
	// Prepared at the first use, once for each connection, because each write needs it.
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () =>
		db
			.select({ id: environments.id, clockAt: environments.clockAt })
			.from(environments)
			.where(isNotNull(environments.clockAt))
			.prepare();
	return () => {
		statement ??= prepare();
		const clocks = new Map<string, Instant>();
		for (const { id, clockAt } of statement.all()) if (clockAt !== null) clocks.set(id, clockAt);
		return clocks;
	};
}
