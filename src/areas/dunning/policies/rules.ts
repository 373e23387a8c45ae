import { fail } from "../../../kernel/errors";
import type { Unsupported } from "../../../kernel/unsupported";
import { type PolicyRetries, triesDefault } from "./schema";
import { type EndAction, type FailureBucket, type RetriedBucket, type Retries, retriedBuckets } from "./schema.values";
import type { DunningPolicyRow } from "./table";

export const unsupportedInPolicy: readonly Unsupported[] = [
	{
		path: "end.action",
		value: "WRITE_OFF",
		code: "InvalidArgumentError",
		why: "Tollgate keeps no uncollectible invoices yet, so a policy cannot write one off; choose LEAVE_OPEN, CANCEL or PAUSE, and credit the invoice by a credit note.",
	},
];

const notRetried: Readonly<Record<Exclude<FailureBucket, RetriedBucket>, string>> = {
	NEW_METHOD: "such a method cannot pay, and a new one of the customer is tried at once",
	AUTHENTICATE: "the customer must authenticate first",
	NEVER: "the networks forbid another try with such a method, and a new one of the customer is tried at once",
	OURS: "it is always tried again, and uses no step",
};

/** Returns the retries of a policy. A policy that states none has the default ones before its end. */
export const retriesOf = ({ retries, endAfterDays }: Pick<DunningPolicyRow, "retries" | "endAfterDays">): Retries =>
	retries ?? { days: triesDefault.filter((day) => day < endAfterDays), buckets: retriedBuckets };

/**
 * Returns the stored retries of a policy's input. Throws InvalidArgumentError for days that do not ascend, and a bucket that waits for the customer.
 */
export function checkedRetries(input: PolicyRetries | null): Retries {
	if (input === null) return { days: [], buckets: [] };
	assertAscending("retries.days", input.days);
	for (const [at, bucket] of (input.buckets ?? []).entries())
		if (!isRetried(bucket))
			throw fail(
				"InvalidArgumentError",
				`'retries.buckets[${at}]' is ${bucket}, which a policy cannot retry: ${notRetried[bucket]}; choose ${retriedBuckets.join(" or ")}.`,
			);
	const named = new Set<FailureBucket>(input.buckets ?? retriedBuckets);
	return { days: input.days, buckets: retriedBuckets.filter((bucket) => named.has(bucket)) };
}

const isRetried = (bucket: FailureBucket): bucket is RetriedBucket => !(bucket in notRetried);

function assertAscending(name: string, days: readonly number[]): void {
	days.forEach((day, at) => {
		const former = days[at - 1];
		if (former !== undefined && former >= day)
			throw fail(
				"InvalidArgumentError",
				`'${name}[${at}]' is ${day}, and the one before it ${former}; name each day once, in ascending order.`,
			);
	});
}

/** The placeholders of a text. */
export const placeholders = ["customer", "seller", "invoices", "total", "payment", "link"] as const;
export type Placeholder = (typeof placeholders)[number];

/** The schedule and the texts of a policy. */
export type PolicyTerms = Pick<DunningPolicyRow, "reminders" | "retries" | "endAction" | "endAfterDays" | "texts">;

/**
 * Throws InvalidArgumentError for reminders that do not ascend, an end that is not after the last reminder and the last try, two texts of one tone and
 * language, and a text with an unknown placeholder.
 */
export function assertTerms(terms: PolicyTerms): void {
	const { reminders, endAfterDays, texts } = terms;
	assertAscending("reminders", reminders);
	const last = reminders.at(-1) ?? 0;
	if (endAfterDays <= last)
		throw fail(
			"InvalidArgumentError",
			`'end.afterDays' is ${endAfterDays}, but the last reminder is on day ${last}; choose a later day.`,
		);
	const lastTry = retriesOf(terms).days.at(-1) ?? 0;
	if (endAfterDays <= lastTry)
		throw fail(
			"InvalidArgumentError",
			`'end.afterDays' is ${endAfterDays}, but the last try of 'retries' is on day ${lastTry}; choose a later day, or fewer tries.`,
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
