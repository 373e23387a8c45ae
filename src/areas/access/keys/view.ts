import { toIso, toIsoOrNull } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../operations";
import { keyStatus } from "../rules";
import type { KeyResource, Scope } from "../rules.actors";
import type { ApiKeyRow } from "../table";
import { type KeyWithSecret, lastUsesOf } from "./operations";
import { typeOfKind } from "./rules";
import type { ApiKey, ApiKeyWithToken } from "./schema";

/** Returns keys of the caller's environment. */
export function viewKeys(work: Work, keys: readonly ApiKeyRow[]): ApiKey[] {
	const uses = lastUsesOf(
		work,
		keys.map(({ id }) => id),
	);
	return keys.map((key) => ({
		id: key.id,
		displayName: key.displayName,
		description: key.description,
		environmentId: key.environmentId,
		keyType: typeOfKind[key.kind],
		prefix: key.prefix,
		scopes: key.scopes?.map(viewScope) ?? null,
		allowedAddresses: key.allowedAddresses,
		allowedOrigins: key.kind === "PUBLISHABLE" ? getOwnEnvironment(work).allowedOrigins : null,
		status: keyStatus(key, work.machineNow),
		expireAt: toIsoOrNull(key.expiresAt),
		lastUsedAt: toIsoOrNull(uses.get(key.id) ?? null),
		createdAt: toIso(key.createdAt),
	}));
}

const viewScope = (scope: Scope) => {
	const [resource, action] = scope.split(":") as [KeyResource, "READ" | "WRITE"];
	return { resource, action };
};

export function viewKey(work: Work, key: ApiKeyRow): ApiKey {
	const [view] = viewKeys(work, [key]);
	return view as ApiKey;
}

export const viewKeyWithToken = (work: Work, { key, secret }: KeyWithSecret): ApiKeyWithToken => ({
	...viewKey(work, key),
	token: secret,
});
