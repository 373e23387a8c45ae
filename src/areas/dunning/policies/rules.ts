import { fail } from "../../../kernel/errors";
import type { Unsupported } from "../../../kernel/unsupported";
import type { EndAction } from "./schema.values";
import type { DunningPolicyRow } from "./table";

export const unsupportedInPolicy: readonly Unsupported[] = [
	{
		path: "end.action",
		value: "WRITE_OFF",
		code: "InvalidArgumentError",
		why: "Tollgate keeps no uncollectible invoices yet, so a policy cannot write one off; choose LEAVE_OPEN, CANCEL or PAUSE, and credit the invoice by a credit note.",
	},
];

/** The placeholders of a text. */
export const placeholders = ["customer", "seller", "invoices", "total", "payment"] as const;
export type Placeholder = (typeof placeholders)[number];

/** The schedule and the texts of a policy. */
export type PolicyTerms = Pick<DunningPolicyRow, "reminders" | "endAction" | "endAfterDays" | "texts">;

/**
 * Throws InvalidArgumentError for reminders that do not ascend, an end that is not after the last reminder, two texts of one tone and
 * language, and a text with an unknown placeholder.
 */
export function assertTerms({ reminders, endAfterDays, texts }: PolicyTerms): void {
	reminders.forEach((day, at) => {
		const former = reminders[at - 1];
		if (former !== undefined && former >= day)
			throw fail(
				"InvalidArgumentError",
				`'reminders[${at}]' is ${day}, and the one before it ${former}; name each day once, in ascending order.`,
			);
	});
	const last = reminders.at(-1) ?? 0;
	if (endAfterDays <= last)
		throw fail(
			"InvalidArgumentError",
			`'end.afterDays' is ${endAfterDays}, but the last reminder is on day ${last}; choose a later day.`,
		);
	texts.forEach((text, at) => {
		if (texts.findIndex(({ kind, language }) => kind === text.kind && language === text.language) !== at)
			throw fail(
				"InvalidArgumentError",
				`'texts[${at}]' is a second text of ${text.kind} in '${text.language}'; send one.`,
			);
		for (const part of ["subject", "text"] as const)
			for (const [, name = ""] of text[part].matchAll(/\{(\w*)\}/g))
				if (!placeholders.some((known) => known === name))
					throw fail(
						"InvalidArgumentError",
						`'texts[${at}].${part}' has the unknown placeholder {${name}}; use ${placeholders.map((known) => `{${known}}`).join(", ")}.`,
					);
	});
}

/** Throws InvalidArgumentError if two active policies name one plan or legal entity, or both are the default. */
export function assertApart(
	policy: Pick<DunningPolicyRow, "refId" | Scope>,
	others: readonly DunningPolicyRow[],
): void {
	for (const other of others) {
		if (other.refId === policy.refId) continue;
		if (policy.isDefault && other.isDefault)
			throw fail(
				"InvalidArgumentError",
				`'appliesTo.isDefault': '${other.refId}' is the default policy already; set it to false there first.`,
			);
		for (const name of ["legalEntityIds", "planIds"] as const)
			if (policy[name].some((id) => other[name].includes(id)))
				throw fail(
					"InvalidArgumentError",
					`'appliesTo.${name}' names one that the policy '${other.refId}' names; remove it from one of them.`,
				);
	}
}

type Scope = "isDefault" | "legalEntityIds" | "planIds";

/** Returns the policy of the most specific level: plan, then legal entity, then environment. */
export function chosenPolicy(
	active: readonly DunningPolicyRow[],
	{ planId, legalEntityId }: { readonly planId: string | null; readonly legalEntityId: string | null },
) {
	const ofPlan = planId === null ? undefined : active.find(({ planIds }) => planIds.includes(planId));
	if (ofPlan) return { policy: ofPlan, source: "PLAN" } as const;
	const named = legalEntityId === null ? undefined : active.find((one) => one.legalEntityIds.includes(legalEntityId));
	if (named) return { policy: named, source: "LEGAL_ENTITY" } as const;
	const byDefault = active.find(({ isDefault }) => isDefault);
	return byDefault && ({ policy: byDefault, source: "ENVIRONMENT" } as const);
}

/** Says what an end does, for explanations. */
export const endWords: Readonly<Record<EndAction, string>> = {
	LEAVE_OPEN: "leaves the invoice open",
	CANCEL: "cancels the subscriptions of the invoice",
	PAUSE: "pauses the subscriptions of the invoice",
	WRITE_OFF: "writes the invoice off",
};
