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

/** What the provider reads of a check's answer. */
interface Checked {
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

interface Asked {
	readonly resourceId?: string;
	readonly requestedUsage?: number;
	readonly requestedValues?: readonly string[];
}

/** What `@tollgate/client` is of use for here; another client that answers so will do. */
export interface Checks {
	check(customerId: string, featureId: string, options?: Asked): Promise<Checked>;
	explain(customerId: string, featureId: string, options?: Asked): Promise<Checked>;
}

export interface TollgateProviderOptions {
	readonly client: Checks;
	/** What a number flag is: the limit, or what is left of it. The limit when left out. Without a limit, infinity. */
	readonly numbers?: "limit" | "remaining";
}

/** Reasons for which nothing is known of the flag, rather than that it is off. */
const flagErrors: Readonly<Record<string, ErrorCode>> = {
	FeatureNotFound: ErrorCode.FLAG_NOT_FOUND,
	FeatureTypeMismatch: ErrorCode.TYPE_MISMATCH,
	CustomerNotFound: ErrorCode.INVALID_CONTEXT,
	CustomerResourceNotFound: ErrorCode.INVALID_CONTEXT,
};

type Resolve<Value> = (checked: Checked) => Value | undefined;

/**
 * Flags are entitlements: the key is a feature's id, `targetingKey` the customer's. A boolean is whether access is given; a
 * number the limit or what is left; a string the values of an ENUM, joined by commas; an object all of it. `resourceId`,
 * `requestedUsage` and `requestedValues` are read from the context.
 */
export class TollgateProvider implements Provider {
	readonly metadata = { name: "tollgate" } as const;
	readonly runsOn = "server";
	readonly events = new OpenFeatureEventEmitter();
	readonly #client: Checks;
	readonly #numbers: "limit" | "remaining";

	constructor({ client, numbers = "limit" }: TollgateProviderOptions) {
		this.#client = client;
		this.#numbers = numbers;
	}

	/** Hand it to the client as `onChange`, and whoever listens to OpenFeature is told of what was pushed. */
	readonly changed = (_customerId: string, featureIds: readonly string[]): void =>
		this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...featureIds] });

	resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
		return this.#resolve(flagKey, defaultValue, context, "check", ({ isGranted }) => isGranted);
	}

	/** The default value where access is denied for another reason than a limit that is reached. */
	resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
		return this.#resolve(flagKey, defaultValue, context, "check", (checked) => this.#numberOf(checked));
	}

	/** The default value where access is denied. */
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
		// The caller says which type it expects; the object is as it is described above.
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
			return failed(ErrorCode.TARGETING_KEY_MISSING, "The context's targetingKey has to be the customer's id.");
		const checked = await this.#client[by](targetingKey, flagKey, askedOf(context));
		const { accessDeniedReason } = checked;
		const error = flagErrors[accessDeniedReason ?? ""];
		if (error) return failed(error, `Tollgate answers ${accessDeniedReason} for '${flagKey}'.`);
		const value = resolve(checked);
		if (value === undefined) return failed(ErrorCode.TYPE_MISMATCH, `'${flagKey}' is no flag of this type.`);
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

	#numberOf({ feature, usageLimit = null, hasUnlimitedUsage, currentUsage = 0 }: Checked): number | undefined {
		if (feature?.featureType !== "NUMBER") return undefined;
		if (hasUnlimitedUsage) return Number.POSITIVE_INFINITY;
		if (usageLimit === null) return undefined;
		return this.#numbers === "limit" ? usageLimit : Math.max(0, usageLimit - currentUsage);
	}
}

function askedOf({ resourceId, requestedUsage, requestedValues }: EvaluationContext): Asked {
	const values = Array.isArray(requestedValues) ? requestedValues.map(String) : undefined;
	return {
		...(typeof resourceId === "string" && { resourceId }),
		...(typeof requestedUsage === "number" && { requestedUsage }),
		...(values && { requestedValues: values }),
	};
}

const valuesOf = ({ explanation }: Checked): string[] =>
	[...new Set(explanation?.sources.flatMap(({ enumValues }) => enumValues))].sort();

const metadataOf = ({ accessDeniedReason, usageLimit, currentUsage, validUntil }: Checked) => ({
	...(accessDeniedReason !== null && { accessDeniedReason }),
	...(typeof usageLimit === "number" && { usageLimit }),
	...(currentUsage !== undefined && { currentUsage }),
	...(validUntil !== undefined && { validUntil }),
});

const detailsOf = (checked: Checked) => ({
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
