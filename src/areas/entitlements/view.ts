import { type Instant, toIso } from "../../kernel/clock";
import { type Decimal, toWire, toWireOrNull, zero } from "../../kernel/decimal";
import type { CurrencyRow } from "../currencies/table";
import type { UsagePeriod } from "../entitlement-sources/rules.reset-period";
import type {
	AccessDeniedReason,
	EffectiveCreditEntitlement,
	EffectiveFeatureEntitlement,
	EntitlementCreditRate,
	GovernanceChainNode,
} from "../entitlement-sources/schema";
import type { FeatureRow } from "../features/table";
import type { CreditDecision } from "./credits";
import type { CustomerCredits } from "./operations.credits";
import type { UseCost } from "./operations.use-cost";
import type { Candidate } from "./rules";

export interface FeatureAccess {
	readonly feature: FeatureRow;
	readonly isMetered: boolean;
	readonly isGranted: boolean;
	readonly reason: AccessDeniedReason | null;
	readonly shown: Candidate | null;
	readonly validUntil: Instant | null;
	/** The reserved amount, in reported units. */
	readonly reserved: Decimal;
	readonly useCost: UseCost | undefined;
	readonly chains: GovernanceChainNode[][] | undefined;
}

/** Returns limit and usage only for numbers, and the usage period only where usage resets (docs/interface/entitlements.md). */
export function viewFeature({
	feature,
	isMetered,
	isGranted,
	reason,
	shown,
	validUntil,
	reserved,
	useCost,
	chains,
}: FeatureAccess): EffectiveFeatureEntitlement {
	const view: EffectiveFeatureEntitlement = {
		type: "FEATURE",
		isGranted,
		accessDeniedReason: reason,
		feature: viewFeatureInfo(feature),
	};
	if (useCost) view.creditRate = viewRate(useCost);
	if (chains) view.chains = chains;
	if (!shown) return view;
	const { source, period, usage } = shown;
	if (feature.featureType === "NUMBER") {
		if (isMetered) view.currentUsage = toWire(usage);
		if (reserved !== zero) view.reservedUsage = toWire(reserved);
		view.usageLimit = toWireOrNull(source.usageLimit);
		view.hasUnlimitedUsage = source.isUnlimited || source.usageLimit === null;
	}
	view.resetPeriod = source.resetPeriod;
	const formatted = period && formattedPeriod(period);
	if (formatted) {
		view.usagePeriodAnchor = formatted.anchor;
		view.usagePeriodStart = formatted.start;
		view.usagePeriodEnd = formatted.end;
	}
	view.entitlementUpdatedAt = toIso(source.updatedAt);
	if (validUntil !== null) view.validUntil = formatted && validUntil === period.end ? formatted.end : toIso(validUntil);
	return view;
}

const viewRate = ({ rate, credits }: UseCost): EntitlementCreditRate => ({
	amount: toWire(rate.creditAmount),
	currencyId: credits.currency.refId,
	costFormula: rate.costFormula,
});

/** The texts of usage periods. `usagePeriodAt` returns the same object until a period ends, and it is shown thousands of times. */
const formattedPeriods = new WeakMap<UsagePeriod, Record<keyof UsagePeriod, string>>();

function formattedPeriod(period: UsagePeriod): Record<keyof UsagePeriod, string> {
	const known = formattedPeriods.get(period);
	if (known) return known;
	const formatted = { anchor: toIso(period.anchor), start: toIso(period.start), end: toIso(period.end) };
	formattedPeriods.set(period, formatted);
	return formatted;
}

const viewFeatureInfo = ({ refId, displayName, status, featureType }: FeatureRow) => ({
	id: refId,
	displayName,
	featureStatus: status,
	featureType,
});

export const viewDeniedFeature = (
	feature: FeatureRow | undefined,
	reason: AccessDeniedReason,
	validUntil: Instant | null,
): EffectiveFeatureEntitlement => ({
	type: "FEATURE",
	isGranted: false,
	accessDeniedReason: reason,
	...(feature && { feature: viewFeatureInfo(feature) }),
	...(validUntil !== null && { validUntil: toIso(validUntil) }),
});

interface CreditAccess {
	readonly credits: CustomerCredits;
	readonly decision: CreditDecision;
	readonly validUntil: Instant | null;
	readonly chains: GovernanceChainNode[][] | undefined;
}

export const viewCredits = ({ credits, decision, validUntil, chains }: CreditAccess): EffectiveCreditEntitlement => ({
	type: "CREDIT",
	isGranted: decision.isGranted,
	accessDeniedReason: decision.reason,
	currency: viewCurrencyInfo(credits.currency),
	currentUsage: toWire(credits.used),
	usageLimit: toWire(credits.limit),
	usageUpdatedAt: toIso(credits.updatedAt),
	entitlementUpdatedAt: toIso(credits.updatedAt),
	...(credits.periodEnd !== null && { usagePeriodEnd: toIso(credits.periodEnd) }),
	...(validUntil !== null && { validUntil: toIso(validUntil) }),
	...(chains && { chains }),
});

/** Every answer needs a currency. An unknown currency has the requested id. */
export const viewDeniedCredits = (
	currencyRef: string,
	currency: CurrencyRow | undefined,
	reason: AccessDeniedReason,
	now: Instant,
): EffectiveCreditEntitlement => ({
	type: "CREDIT",
	isGranted: false,
	accessDeniedReason: reason,
	currency: currency
		? viewCurrencyInfo(currency)
		: {
				currencyId: currencyRef,
				displayName: currencyRef,
				description: null,
				metadata: null,
				unitSingular: null,
				unitPlural: null,
			},
	currentUsage: 0,
	usageLimit: 0,
	usageUpdatedAt: toIso(now),
});

const viewCurrencyInfo = ({ refId, displayName, description, metadata, unitSingular, unitPlural }: CurrencyRow) => ({
	currencyId: refId,
	displayName,
	description,
	metadata,
	unitSingular,
	unitPlural,
});
