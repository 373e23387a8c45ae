import { type Big, exact, sum } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { linesOfSubscription, type NamedLine } from "../consolidated/rules";
import { selectMembers } from "../consolidated/store";
import { linesOf } from "../store";
import type { InvoiceRow } from "../table";
import { creditNoteLinesOf, creditNotesOf } from "./store";

/**
 * Returns the amount of a consolidated invoice that one of these subscriptions (row ids) charges and that is not credited, and the names
 * of its lines. Credits of a subscription that replaced it have the same names.
 */
export function creditableOfMember(
	work: Work,
	invoice: InvoiceRow,
	subscriptionIds: readonly string[],
): { readonly left: Big; readonly names: NamedLine } | undefined {
	const member = selectMembers(work, [invoice.id]).find((one) => subscriptionIds.includes(one.subscriptionId));
	if (!member) return undefined;
	const { subscriptionRefId } = member;
	const charged = linesOfSubscription(linesOf(work, [invoice.id]), subscriptionRefId);
	const notes = creditNotesOf(work, invoice).map(({ id }) => id);
	const credited = linesOfSubscription(creditNoteLinesOf(work, notes), subscriptionRefId);
	const total = (lines: typeof charged | typeof credited) => sum(lines.map((line) => exact(line.total)));
	const customerRefId = charged[0]?.customerRefId ?? null;
	return { left: total(charged).minus(total(credited)), names: { subscriptionRefId, customerRefId } };
}
