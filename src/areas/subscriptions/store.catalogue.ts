import { and, eq, type SQL } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import { packages } from "../packages/table";
import { subscriptions } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptions.environmentId, actor.environmentId);

/** By way of the product's plans, whose subscriptions have an index. */
export const existsOfProduct = (work: Work, productId: string): boolean =>
	work.tx
		.select({ id: subscriptions.id })
		.from(packages)
		.innerJoin(subscriptions, eq(subscriptions.planId, packages.id))
		.where(and(inEnvironment(work), eq(packages.productId, productId)))
		.limit(1)
		.get() !== undefined;
