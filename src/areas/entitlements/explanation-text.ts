import type {
	EntitlementExplanation,
	EntitlementPart,
	EntitlementSource,
	ExplainedBudget,
} from "../entitlement-sources/schema.explanation";

/** The names of the feature or currency in the sentences. */
export interface Names {
	/** The caller's id of the feature or currency. */
	readonly id: string;
	readonly displayName: string;
	/** The plural of the counted units; null where they have no name. */
	readonly units: string | null;
}

type Facts = Omit<EntitlementExplanation, "text">;

/** Returns the explanation as sentences to read aloud: the verdict, its source, the usage, and the other sources. */
export const explanationText = (customer: string, names: Names, facts: Facts): string =>
	[
		verdict(customer, names, facts),
		...sourceSentences(names, facts),
		...usageSentences(names, facts),
		...costSentence(facts),
		...windowSentence(facts),
		...otherSources(names, facts),
	].join(" ");

function verdict(customer: string, { id, displayName, units }: Names, { decision, budgets = [] }: Facts): string {
	const subject = `${displayName} (${id})`;
	const spent = decision.decidedBy === "ENTITY_BUDGET_SPENT" ? budgets.find(({ isGranted }) => !isGranted) : undefined;
	if (spent) return `Customer '${customer}' may not use ${subject}: ${spentBudget(spent, units)}.`;
	if (decision.isGranted) return `Customer '${customer}' may use ${subject}.`;
	return `Customer '${customer}' may not use ${subject}: ${whyNot(decision)}.`;
}

const reasons: Readonly<Record<string, string>> = {
	FeatureNotFound: "there is no such feature in this environment",
	CustomerNotFound: "there is no such customer in this environment",
	CustomerIsArchived: "the customer is archived",
	CustomerResourceNotFound: "the customer has no such resource",
	NoActiveSubscription: "the customer has no active subscription and no promotional entitlement",
	NoFeatureEntitlementInSubscription: "no subscription or promotional entitlement of the customer includes it",
	RequestedUsageExceedingLimit: "the request exceeds the limit",
	RequestedValuesMismatch: "not all requested values are included",
	BudgetExceeded: "the subscription's budget for usage charges is spent",
	FeatureTypeMismatch: "the request does not fit this kind of feature",
	Revoked: "it was revoked",
	InsufficientCredits: "there are not enough credits",
	EntitlementNotFound: "nothing grants the customer credits of this currency",
};

/** Names the level, its limit, its usage, and who can raise it. */
function spentBudget(budget: ExplainedBudget, units: string | null): string {
	const { entityId, displayName, scopeEntityIds, capability, usageLimit, used, reserved, resetsAt, raisedBy } = budget;
	const others = budget.allocatedToOthers === undefined ? "" : ` and ${budget.allocatedToOthers} allocated to others`;
	const name = displayName === null ? `'${entityId}'` : `${displayName} ('${entityId}')`;
	const scope = scopeEntityIds.length === 0 ? "" : ` for ${scopeEntityIds.map((id) => `'${id}'`).join(" and ")}`;
	const limit = counted(usageLimit ?? 0, capability === "CURRENCY" ? "credits" : units);
	const until = resetsAt === null ? "" : ` until ${spoken(resetsAt)}`;
	return `the budget of ${name}${scope} does not allow it, with ${used} of ${limit} used and ${reserved} reserved${others}${until}, and anyone with the scope ${raisedBy} can raise it`;
}

const whyNot = ({ accessDeniedReason, requestedValues }: Facts["decision"]): string => {
	const reason = reasons[accessDeniedReason ?? ""] ?? "access is denied";
	return requestedValues.length > 0 ? `${reason} (requested: ${requestedValues.join(", ")})` : reason;
};

function sourceSentences(names: Names, { sources, decision }: Facts): string[] {
	const shown = sources.filter(({ isShown, outcome }) => isShown || outcome === "REVOKES");
	return shown.map((source) => {
		const by = sourceName(source);
		if (source.kind === "CREDIT_GRANT") return grantSentence(by, source, names);
		if (source.outcome === "REVOKES")
			return `${capital(by)} revokes it${partsOf(
				source.parts.filter(({ effect }) => effect === "REVOKES"),
				names,
				false,
			)}.`;
		const verb = decision.isGranted ? "grants it" : "includes it";
		return `${capital(by)} ${verb}${partsOf(source.parts, names, true)}.`;
	});
}

function grantSentence(
	by: string,
	{ usageLimit, currentUsage, endDate, creditGrant }: EntitlementSource,
	{ units }: Names,
) {
	if (creditGrant?.grantType === "OVERDRAFT")
		return `${counted(currentUsage ?? 0, units)} were used beyond the grants.`;
	const until = endDate === null ? "" : ` until ${spoken(endDate)}`;
	return `${capital(by)} has ${usageLimit ?? 0}${until}; ${currentUsage ?? 0} of them ${currentUsage === 1 ? "is" : "are"} used.`;
}

function sourceName({ kind, id, startDate, endDate, creditGrant }: EntitlementSource): string {
	if (creditGrant) {
		const of = creditGrant.subscriptionId === null ? "" : ` of the subscription '${creditGrant.subscriptionId}'`;
		return `the ${creditGrant.grantType.toLowerCase()} grant '${creditGrant.displayName}'${of}`;
	}
	if (kind === "PROMOTIONAL")
		return `the promotional entitlement granted on ${spoken(startDate)}${endDate === null ? "" : ` until ${spoken(endDate)}`}`;
	return kind === "TRIAL" ? `the trial '${id}'` : `the subscription '${id}'`;
}

const partNames = {
	PLAN: "plan",
	BASE_PLAN: "base plan",
	ADDON: "addon",
	SUBSCRIPTION: "the subscription itself",
	UNITS_BOUGHT: "bought units",
} as const;

function partsOf(parts: readonly EntitlementPart[], names: Names, withValues: boolean): string {
	const texts = parts.map((part) => {
		const { kind, id, version, quantity, effect } = part;
		const name = version === null ? partNames[kind] : `${partNames[kind]} '${id}' version ${version}`;
		const value = withValues ? valueText(part, names) : "";
		const times = quantity === 1 ? "" : `, ${quantity} times`;
		const effects = { ADDS: "", REVOKES: "", REPLACES: ", which replaces the others", REPLACED: ", which is replaced" };
		return `${name}${value === "" ? "" : ` with ${value}`}${times}${effects[effect]}`;
	});
	return texts.length === 0 ? "" : `: ${texts.join("; ")}`;
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
			`${requested} more ${requested === 1 ? "was" : "were"} requested, and ${remaining < 0 ? `the limit is exceeded by ${-remaining}` : `${remaining} ${remaining === 1 ? "is" : "are"} left`}.`,
		);
	if (decision.decidedBy === "SOFT_LIMIT") sentences.push("The limit is soft: it does not end access.");
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
	const soft = hasSoftLimit ? " The limit of the credits is soft: it does not end access." : "";
	return [`${costs}, in the currency '${currencyId}'. The balance is ${balance}.${soft}`];
}

function consumptionSentence(
	{ amount, featureId, timestamp }: NonNullable<NonNullable<Facts["usage"]>["lastConsumptions"]>[number],
	units: string | null,
): string {
	const by = featureId === null ? "without a feature" : `by '${featureId}'`;
	return amount < 0
		? `The last reversal released ${counted(-amount, units)}, consumed ${by} at ${spoken(timestamp)}.`
		: `The last use consumed ${counted(amount, units)}, ${by} at ${spoken(timestamp)}.`;
}

const windowSentence = ({ window }: Facts): string[] =>
	window ? [`Usage resets to zero on ${spoken(window.resetsAt)}.`] : [];

const outcomes: Readonly<Record<EntitlementSource["outcome"], string>> = {
	GRANTS: "grants it",
	ALSO_GRANTS: "would grant it too",
	LIMIT_REACHED: "does not, because its limit is reached",
	BUDGET_SPENT: "does not, because its budget is spent",
	TOO_FEW_CREDITS: "does not, because there are not enough credits",
	REVOKES: "revokes it",
	OVERRULED: "does not count, because the feature is revoked",
	VALUES_MISSING: "does not include all values",
	DOES_NOT_FIT: "does not fit the request",
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

/** Built by the first explanation: it takes 8 ms of a start. */
let dayFormat: Intl.DateTimeFormat | undefined;
const spokenDay = (day: Date): string => {
	dayFormat ??= new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
	return dayFormat.format(day);
};

/** `2026-01-31T00:00:00.000Z` as "31 January 2026 00:00 UTC". */
const spoken = (iso: string): string => `${spokenDay(new Date(iso))} ${iso.slice(11, 16)} UTC`;
