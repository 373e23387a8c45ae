import {
	ErrorCode,
	type EvaluationContext,
	type JsonValue,
	OpenFeatureEventEmitter,
	type Provider,
	ProviderEvents,
	type ResolutionDetails,
	StandardResolutionReasons,
} from "@openfeature/server-sdk";

/** The part of a check's result that the provider reads. */
interface CheckResult {
	readonly isGranted: boolean;
	readonly accessDeniedReason: string | null;
	readonly feature?: { readonly featureType: "BOOLEAN" | "NUMBER" | "ENUM" };
	readonly currentUsage?: number;
	readonly usageLimit?: number | null;
	readonly hasUnlimitedUsage?: boolean;
	readonly resetPeriod?: string | null;
	readonly usagePeriodEnd?: string;
	readonly validUntil?: string;
	readonly explanation?: { readonly sources: ReadonlyArray<{ readonly enumValues: readonly string[] }> };
}

interface CheckOptions {
	readonly resourceId?: string;
	readonly requestedUsage?: number;
	readonly requestedValues?: readonly string[];
}

/** The part of `@tollgate/client` that the provider uses. Any client with these methods works. */
export interface CheckClient {
	check(customerId: string, featureId: string, options?: CheckOptions): Promise<CheckResult>;
	explain(customerId: string, featureId: string, options?: CheckOptions): Promise<CheckResult>;
}

export interface TollgateProviderOptions {
	readonly client: CheckClient;
	/** The value of number flags: the limit (the default) or the remaining usage. Infinity without a limit. */
	readonly numbers?: "limit" | "remaining";
}

/** Reasons that mean an unknown flag, not a flag that is off. */
const flagErrors: Readonly<Record<string, ErrorCode>> = {
	FeatureNotFound: ErrorCode.FLAG_NOT_FOUND,
	FeatureTypeMismatch: ErrorCode.TYPE_MISMATCH,
	CustomerNotFound: ErrorCode.INVALID_CONTEXT,
	CustomerResourceNotFound: ErrorCode.INVALID_CONTEXT,
};

type Resolve<Value> = (checked: CheckResult) => Value | undefined;

/**
 * Evaluates flags as entitlements. The key of a flag is the feature id, `targetingKey` the customer id. A boolean says whether
 * access is granted. A number is the limit or the remaining usage. A string has the values of an ENUM, joined by commas. An
 * object has the whole result. The provider reads `resourceId`, `requestedUsage` and `requestedValues` from the context.
 */
export class TollgateProvider implements Provider {
	readonly metadata = { name: "tollgate" } as const;
	readonly runsOn = "server";
	readonly events = new OpenFeatureEventEmitter();
	readonly #client: CheckClient;
	readonly #numbers: "limit" | "remaining";

	constructor({ client, numbers = "limit" }: TollgateProviderOptions) {
		this.#client = client;
		this.#numbers = numbers;
	}

	/** Pass this as `onChange` to the client to notify OpenFeature listeners of pushed changes. */
	readonly changed = (_customerId: string, featureIds: readonly string[]): void =>
		this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...featureIds] });

	resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
		return this.#resolve(flagKey, defaultValue, context, "check", ({ isGranted }) => isGranted);
	}

	/** Returns the default value if access is denied for a reason other than a reached limit. */
	resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
		return this.#resolve(flagKey, defaultValue, context, "check", (checked) => this.#numberOf(checked));
	}

	/** Returns the default value if access is denied. */
	resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
		return this.#resolve(flagKey, defaultValue, context, "explain", (checked) =>
			checked.feature?.featureType !== "ENUM"
				? undefined
				: checked.isGranted
					? valuesOf(checked).join(",")
					: defaultValue,
		);
	}

	resolveObjectEvaluation<Value extends JsonValue>(flagKey: string, defaultValue: Value, context: EvaluationContext) {
		// The caller chooses the type; the object has the content described above.
		return this.#resolve(
			flagKey,
			defaultValue,
			context,
			"explain",
			(checked) => detailsOf(checked) as JsonValue as Value,
		);
	}

	async #resolve<Value>(
		flagKey: string,
		defaultValue: Value,
		context: EvaluationContext,
		by: "check" | "explain",
		resolve: Resolve<Value>,
	): Promise<ResolutionDetails<Value>> {
		const failed = (errorCode: ErrorCode, errorMessage: string): ResolutionDetails<Value> => ({
			value: defaultValue,
			reason: StandardResolutionReasons.ERROR,
			errorCode,
			errorMessage,
		});
		const { targetingKey } = context;
		if (!targetingKey)
			return failed(ErrorCode.TARGETING_KEY_MISSING, "The targetingKey of the context must be the customer id.");
		const checked = await this.#client[by](targetingKey, flagKey, checkOptionsOf(context));
		const { accessDeniedReason } = checked;
		const error = flagErrors[accessDeniedReason ?? ""];
		if (error) return failed(error, `Tollgate answers ${accessDeniedReason} for '${flagKey}'.`);
		const value = resolve(checked);
		if (value === undefined) return failed(ErrorCode.TYPE_MISMATCH, `'${flagKey}' is not a flag of this type.`);
		return {
			value,
			variant: accessDeniedReason ?? "granted",
			reason:
				value === defaultValue && !checked.isGranted
					? StandardResolutionReasons.DEFAULT
					: StandardResolutionReasons.TARGETING_MATCH,
			flagMetadata: metadataOf(checked),
		};
	}

	#numberOf({ feature, usageLimit = null, hasUnlimitedUsage, currentUsage = 0 }: CheckResult): number | undefined {
		if (feature?.featureType !== "NUMBER") return undefined;
		if (hasUnlimitedUsage) return Number.POSITIVE_INFINITY;
		if (usageLimit === null) return undefined;
		return this.#numbers === "limit" ? usageLimit : Math.max(0, usageLimit - currentUsage);
	}
}

function checkOptionsOf({ resourceId, requestedUsage, requestedValues }: EvaluationContext): CheckOptions {
	const values = Array.isArray(requestedValues) ? requestedValues.map(String) : undefined;
	return {
		...(typeof resourceId === "string" && { resourceId }),
		...(typeof requestedUsage === "number" && { requestedUsage }),
		...(values && { requestedValues: values }),
	};
}

const valuesOf = ({ explanation }: CheckResult): string[] =>
	[...new Set(explanation?.sources.flatMap(({ enumValues }) => enumValues))].sort();

const metadataOf = ({ accessDeniedReason, usageLimit, currentUsage, validUntil }: CheckResult) => ({
	...(accessDeniedReason !== null && { accessDeniedReason }),
	...(typeof usageLimit === "number" && { usageLimit }),
	...(currentUsage !== undefined && { currentUsage }),
	...(validUntil !== undefined && { validUntil }),
});

const detailsOf = (checked: CheckResult) => ({
	isGranted: checked.isGranted,
	accessDeniedReason: checked.accessDeniedReason,
	...(checked.currentUsage !== undefined && { currentUsage: checked.currentUsage }),
	...(checked.usageLimit !== undefined && { usageLimit: checked.usageLimit }),
	...(checked.hasUnlimitedUsage !== undefined && { hasUnlimitedUsage: checked.hasUnlimitedUsage }),
	...(checked.resetPeriod !== undefined && { resetPeriod: checked.resetPeriod }),
	...(checked.usagePeriodEnd !== undefined && { usagePeriodEnd: checked.usagePeriodEnd }),
	...(checked.validUntil !== undefined && { validUntil: checked.validUntil }),
	...(checked.feature?.featureType === "ENUM" && { enumValues: valuesOf(checked) }),
});
