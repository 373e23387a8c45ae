import { fail } from "../../../kernel/errors";
import type { CustomerRow } from "../table";

/** Our limit: a bill that includes the usage of children reads each of them. */
const childrenMax = 1000;

/** Our limit: a bill reads each time in which a customer belonged to the parent. Ten for each child. */
export const membershipsMax = 10 * childrenMax;

type Named = Pick<CustomerRow, "id" | "refId">;
type Placed = Named & Pick<CustomerRow, "parentCustomerId">;

/** Returns the row id of the customer that pays where a subscription names no payer. */
export const defaultPayerId = ({
	id,
	billsTo,
	parentCustomerId,
}: Pick<CustomerRow, "id" | "billsTo" | "parentCustomerId">): string =>
	billsTo === "PARENT" && parentCustomerId !== null ? parentCustomerId : id;

/** The customers around a customer that gets a parent. */
interface Relatives {
	readonly parent: Placed;
	/** A child of the customer, archived or not. */
	readonly child: Pick<CustomerRow, "refId"> | undefined;
	/** The number of children that the parent has already. */
	readonly siblings: number;
	/** The number of times that a customer was placed under the parent. */
	readonly memberships: number;
}

/**
 * Throws InvalidArgumentError for a customer that would be its own parent, for more than one level, or for too many children or changes of them. `where`
 * names the field.
 */
export function assertParent(
	{ id, refId }: Named,
	{ parent, child, siblings, memberships }: Relatives,
	where: string,
): void {
	const refuse = (message: string) => fail("InvalidArgumentError", `${where}: ${message}`);
	if (parent.id === id) throw refuse(`The customer '${refId}' cannot be its own parent; name another customer.`);
	if (parent.parentCustomerId !== null)
		throw refuse(
			`The customer '${parent.refId}' has a parent itself, and there is one level of parents; name that parent instead.`,
		);
	if (child)
		throw refuse(
			`The customer '${refId}' is the parent of '${child.refId}', and there is one level of parents; take its children away first.`,
		);
	if (siblings >= childrenMax)
		throw refuse(`The customer '${parent.refId}' has ${childrenMax} children, which is the maximum.`);
	if (memberships >= membershipsMax)
		throw refuse(
			`Customers were placed under '${parent.refId}' ${membershipsMax} times, which is the maximum; name another parent.`,
		);
}
