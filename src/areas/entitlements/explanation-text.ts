import type {
	EntitlementExplanation,
	EntitlementPart,
	EntitlementSource,
} from "../entitlement-sources/schema.explanation";

/** What the sentences are about. */
export interface Names {
	/** The caller's id of the feature or currency. */
	readonly id: string;
	readonly displayName: string;
	/** What is counted, in the plural; null where nobody has named it. */
	readonly units: string | null;
}

type Facts = Omit<EntitlementExplanation, "text">;

/** The explanation as a support person reads it aloud: the verdict, what gives it, what was used, and what else there is. */
export const explanationText = (customer: string, names: Names, facts: Facts): string =>
	[
		verdict(customer, names, facts),
		...sourceSentences(names, facts),
		...usageSentences(names, facts),
		...costSentence(facts),
		...windowSentence(facts),
		...otherSources(names, facts),
	].join(" ");

function verdict(customer: string, { id, displayName }: Names, { decision }: Facts): string {
	const what = `${displayName} (${id})`;
	if (decision.isGranted) return `Customer '${customer}' may use ${what}.`;
	return `Customer '${customer}' may not use ${what}: ${whyNot(decision)}.`;
}

const reasons: Readonly<Record<string, string>> = {
	FeatureNotFound: "there is no such feature in this environment",
	CustomerNotFound: "there is no such customer in this environment",
	CustomerIsArchived: "the customer is archived",
	CustomerResourceNotFound: "the customer has no such resource",
	NoActiveSubscription: "no subscription of the customer is active, and nothing was given to it",
	NoFeatureEntitlementInSubscription: "nothing that the customer has includes it",
	RequestedUsageExceedingLimit: "what was asked for goes beyond the limit",
	RequestedValuesMismatch: "not every value that was asked for is included",
	BudgetExceeded: "the subscription's budget for what is charged by use is spent",
	FeatureTypeMismatch: "the request does not fit this kind of feature",
	Revoked: "it was taken away",
	InsufficientCredits: "there are not enough credits",
	EntitlementNotFound: "nothing that the customer has grants credits of this currency",
};

const whyNot = ({ accessDeniedReason, requestedValues }: Facts["decision"]): string => {
	const reason = reasons[accessDeniedReason ?? ""] ?? "access is denied";
	return requestedValues.length > 0 ? `${reason} (asked for: ${requestedValues.join(", ")})` : reason;
};

function sourceSentences(names: Names, { sources, decision }: Facts): string[] {
	const told = sources.filter(({ isShown, outcome }) => isShown || outcome === "REVOKES");
	return told.map((source) => {
		const by = sourceName(source);
		if (source.kind === "CREDIT_GRANT") return grantSentence(by, source, names);
		if (source.outcome === "REVOKES")
			return `${capital(by)} takes it away${partsOf(
				source.parts.filter(({ effect }) => effect === "REVOKES"),
				names,
				false,
			)}.`;
		const verb = decision.isGranted ? "gives it" : "includes it";
		return `${capital(by)} ${verb}${partsOf(source.parts, names, true)}.`;
	});
}

function grantSentence(
	by: string,
	{ usageLimit, currentUsage, endDate, creditGrant }: EntitlementSource,
	{ units }: Names,
) {
	if (creditGrant?.grantType === "OVERDRAFT")
		return `${counted(currentUsage ?? 0, units)} were used beyond what was granted.`;
	const until = endDate === null ? "" : ` until ${spoken(endDate)}`;
	return `${capital(by)} holds ${usageLimit ?? 0}${until}, of which ${currentUsage ?? 0} ${currentUsage === 1 ? "is" : "are"} used.`;
}

function sourceName({ kind, id, startDate, endDate, creditGrant }: EntitlementSource): string {
	if (creditGrant) {
		const of = creditGrant.subscriptionId === null ? "" : ` of the subscription '${creditGrant.subscriptionId}'`;
		return `the ${creditGrant.grantType.toLowerCase()} grant '${creditGrant.displayName}'${of}`;
	}
	if (kind === "PROMOTIONAL")
		return `the promotional entitlement given on ${spoken(startDate)}${endDate === null ? "" : ` until ${spoken(endDate)}`}`;
	return kind === "TRIAL" ? `the trial '${id}'` : `the subscription '${id}'`;
}

const partNames = {
	PLAN: "plan",
	BASE_PLAN: "base plan",
	ADDON: "addon",
	SUBSCRIPTION: "the subscription itself",
	UNITS_BOUGHT: "units bought",
} as const;

function partsOf(parts: readonly EntitlementPart[], names: Names, withValues: boolean): string {
	const told = parts.map((part) => {
		const { kind, id, version, quantity, effect } = part;
		const name = version === null ? partNames[kind] : `${partNames[kind]} '${id}' version ${version}`;
		const value = withValues ? valueText(part, names) : "";
		const times = quantity === 1 ? "" : `, ${quantity} times`;
		const effects = { ADDS: "", REVOKES: "", REPLACES: ", in place of the others", REPLACED: ", which counts no more" };
		return `${name}${value === "" ? "" : ` with ${value}`}${times}${effects[effect]}`;
	});
	return told.length === 0 ? "" : `: ${told.join("; ")}`;
}

function valueText(
	{
		hasUnlimitedUsage,
		usageLimit,
		hasSoftLimit,
		enumValues,
	}: Pick<EntitlementPart, "hasUnlimitedUsage" | "usageLimit" | "hasSoftLimit" | "enumValues">,
	{ units }: Names,
): string {
	if (enumValues.length > 0) return enumValues.join(", ");
	if (hasUnlimitedUsage) return "no limit";
	if (usageLimit === null) return "";
	return `${counted(usageLimit, units)}${hasSoftLimit ? " (a soft limit)" : ""}`;
}

const counted = (amount: number, units: string | null): string => (units === null ? `${amount}` : `${amount} ${units}`);

function usageSentences({ units }: Names, { usage, decision, window }: Facts): string[] {
	if (!usage) return [];
	const {
		limit,
		currentUsage,
		requested,
		reserved,
		remaining,
		unitTransformation,
		counted: reported,
		lastEvents,
	} = usage;
	const since = window ? ` since ${spoken(window.start)}` : "";
	const used = limit === null ? `${counted(currentUsage, units)}` : `${currentUsage} of ${counted(limit, units)}`;
	const sentences = [`${used} ${currentUsage === 1 && limit === null ? "is" : "are"} used${since}.`];
	if (unitTransformation)
		sentences.push(
			`That is ${reported} as reported, divided by ${unitTransformation.divide} and rounded ${unitTransformation.round.toLowerCase()}.`,
		);
	if (reserved > 0) sentences.push(`${reserved} more ${reserved === 1 ? "is" : "are"} reserved.`);
	if (remaining !== null)
		sentences.push(
			`${requested} more ${requested === 1 ? "was" : "were"} asked for, and ${remaining < 0 ? `the limit is passed by ${-remaining}` : `${remaining} ${remaining === 1 ? "is" : "are"} left`}.`,
		);
	if (decision.decidedBy === "SOFT_LIMIT") sentences.push("The limit is soft: access goes on beyond it.");
	const [last] = lastEvents;
	const [consumed] = usage.lastConsumptions ?? [];
	if (consumed) sentences.push(consumptionSentence(consumed, units));
	if (last?.eventName === "$usage.reported") sentences.push(`Usage was reported last at ${spoken(last.timestamp)}.`);
	else if (last) sentences.push(`The last event counted was '${last.eventName}' at ${spoken(last.timestamp)}.`);
	return sentences;
}

function costSentence({ useCost }: Facts): string[] {
	if (!useCost) return [];
	const { currencyId, cost, balance, hasSoftLimit } = useCost;
	const costs = cost === null ? "The event decides how many credits the use costs" : `The use costs ${cost} credits`;
	const soft = hasSoftLimit ? " The limit of the credits is soft: access goes on beyond it." : "";
	return [`${costs}, in the currency '${currencyId}'. The balance is ${balance}.${soft}`];
}

function consumptionSentence(
	{ amount, featureId, timestamp }: NonNullable<NonNullable<Facts["usage"]>["lastConsumptions"]>[number],
	units: string | null,
): string {
	const by = featureId === null ? "without a feature" : `by '${featureId}'`;
	return amount < 0
		? `${counted(-amount, units)} were given back last, taken ${by} at ${spoken(timestamp)}.`
		: `${counted(amount, units)} ${amount === 1 ? "was" : "were"} taken last, ${by} at ${spoken(timestamp)}.`;
}

const windowSentence = ({ window }: Facts): string[] =>
	window ? [`Usage starts again at zero on ${spoken(window.resetsAt)}.`] : [];

const outcomes: Readonly<Record<EntitlementSource["outcome"], string>> = {
	GRANTS: "gives it",
	ALSO_GRANTS: "would give it too",
	LIMIT_REACHED: "does not, since its limit is reached",
	BUDGET_SPENT: "does not, since its budget is spent",
	TOO_FEW_CREDITS: "does not, since there are not enough credits",
	REVOKES: "takes it away",
	OVERRULED: "does not count, since it was taken away",
	VALUES_MISSING: "does not include every value",
	DOES_NOT_FIT: "was not asked",
};

function otherSources(names: Names, { sources }: Facts): string[] {
	return sources
		.filter(({ isShown, outcome }) => !isShown && outcome !== "REVOKES")
		.map((source) => {
			const value = valueText(source, names);
			return `${capital(sourceName(source))}${value === "" ? "" : `, with ${value},`} ${outcomes[source.outcome]}.`;
		});
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const spokenDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** `2026-01-31T00:00:00.000Z` as "31 January 2026 00:00 UTC". */
const spoken = (iso: string): string => `${spokenDay.format(new Date(iso))} ${iso.slice(11, 16)} UTC`;
