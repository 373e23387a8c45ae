import type { ProviderKind } from "./connections/schema";
import type { Credentials, Provider } from "./providers/provider";

/** Opens the adapter of a provider for one account. */
export type OpenProvider = (kind: ProviderKind, credentials: Credentials) => Promise<Provider>;

/** The adapters; the modules of each are loaded at its first use. */
const adapters: Readonly<Record<ProviderKind, (credentials: Credentials) => Promise<Provider>>> = {
	STRIPE: async (credentials) => (await import("./providers/stripe/adapter")).openStripe(credentials),
};

export const openProvider: OpenProvider = (kind, credentials) => adapters[kind](credentials);
