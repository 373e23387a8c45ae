import { isNotNull } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { ReadClocks } from "../../../kernel/storage/transactions";
import type { Database } from "../../../kernel/work";
import { environments } from "../table";

/** The frozen clocks of a main file, for its transactions: every thread and every actor of an environment gets its time here. */
export function testClocksIn(db: Database): ReadClocks {
	// Prepared when first asked for, and once for each connection: every transaction that writes asks.
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
