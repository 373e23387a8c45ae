import { type Client, createClient } from "graphql-ws";

export const documents = {
	entitlementsUpdated: `subscription EntitlementsUpdated {
		entitlementsUpdated {
			customerId resourceId
			entitlements { isGranted customerId usageLimit hasUnlimitedUsage currentUsage nextResetDate feature { refId featureType } }
		}
	}`,
	usageUpdated: `subscription UsageUpdated {
		usageUpdated {
			usage { customerId resourceId featureId currentUsage nextResetDate usagePeriodStart usagePeriodEnd }
			entitlement { isGranted currentUsage usageLimit feature { refId } }
		}
	}`,
	entitlementsUpdatedV2: `subscription {
		entitlementsUpdatedV2 {
			customerId resourceId accessDeniedReason
			entitlements {
				__typename
				... on FeatureEntitlement { isGranted usageLimit validUntil feature { refId } }
				... on CreditEntitlement { isGranted usageLimit currentUsage currency { currencyId } }
			}
		}
	}`,
	usageUpdatedV2: `subscription {
		usageUpdatedV2 {
			customerId resourceId entitlementReference { type id }
			usage { currentUsage usagePeriodStart usagePeriodEnd usageUpdatedAt }
		}
	}`,
	creditBalanceUpdated: `subscription {
		creditBalanceUpdated {
			customerId resourceId currency { currencyId } currentBalance totalConsumed totalGranted validUntil
		}
	}`,
	packagePublished: "subscription { packagePublished { migrationType } }",
} as const;

/** A connection of graphql-ws's own client. */
export const connect = (url: string, key: string, more: object = {}): Client =>
	createClient({
		url: `${url.replace("http", "ws")}/graphql`,
		connectionParams: { headers: { "X-API-KEY": key } },
		lazy: false,
		keepAlive: 200,
		retryAttempts: 0,
		onNonLazyError: () => {},
		...more,
	});

// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON that came, whatever it is.
export type Pushed = any;

/** Long enough for a machine that is busy: what is not pushed fails by itself. */
const pushedWithinMs = 20_000;

/** The events of one subscription, in its order. */
export function subscribe(client: Client, query: string, variables?: Record<string, unknown>) {
	const results = client.iterate<Record<string, Pushed>>({ query, ...(variables && { variables }) });
	const next = async (): Promise<Pushed> => {
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error("Nothing was pushed.")), pushedWithinMs);
		const { done, value } = await Promise.race([results.next(), late.promise]).finally(() => clearTimeout(timer));
		if (done) throw new Error("The subscription has ended.");
		const [data] = Object.values(value.data ?? {});
		if (value.errors || !data) throw new Error(JSON.stringify(value));
		return data;
	};
	return {
		next,
		/** Returns the first that fits; the events before it are skipped. */
		until: async (fits: (pushed: Pushed) => boolean): Promise<Pushed> => {
			for (;;) {
				const pushed = await next();
				if (fits(pushed)) return pushed;
			}
		},
		stop: () => results.return?.(),
	};
}

/** Until the server has seen all that was sent before: the second ping from now on was sent after it, and messages have an order. */
export async function begun(client: Client): Promise<void> {
	for (const _ of [1, 2])
		await new Promise<void>((resolve) => {
			const stop = client.on("pong", () => {
				stop();
				resolve();
			});
		});
}
