import { and, eq, gt } from "drizzle-orm";
import { contracts } from "../areas/contracts/table";
import { creditWallets } from "../areas/credits/table";
import { customers } from "../areas/customers/table";
import { invoices } from "../areas/invoices/table";
import { subscriptions } from "../areas/subscriptions/table";
import type { Instant } from "../kernel/clock";
import type { Work } from "../kernel/work";

/** The tables whose rows change over time: each change has the environment's time. */
const living = [customers, subscriptions, creditWallets, contracts, invoices] as const;

/** Whether anything has happened in the environment after the instant. */
export const hasHappenedAfter = ({ tx, actor }: Work, at: Instant): boolean =>
	living.some(
		(table) =>
			tx
				.select({ id: table.id })
				.from(table)
				.where(and(eq(table.environmentId, actor.environmentId), gt(table.updatedAt, at)))
				.limit(1)
				.get() !== undefined,
	);
