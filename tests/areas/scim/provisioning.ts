import { expect } from "bun:test";
import { type Answer, type World, world } from "../../support/world";
import { addProvider, bearerOf } from "../identity-providers/support";

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";

/** As one provider sends a person. */
export const ada = {
	schemas: [userSchema, enterprise],
	userName: "Ada@example.test",
	externalId: "00u1",
	name: { givenName: "Ada", familyName: "Lovelace" },
	displayName: "Ada Lovelace",
	emails: [{ primary: true, value: "Ada@example.test", type: "work" }],
	locale: "en-US",
	groups: [],
	password: "never kept",
	active: true,
	[enterprise]: { department: "Engines" },
};
export const patch = (...Operations: unknown[]) => ({ schemas: [patchSchema], Operations });

export interface Provisioning {
	readonly w: World;
	readonly scim: (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>;
	readonly owner: Record<string, string>;
	readonly id: string;
	readonly token: string;
}

export async function provisioning(more: Record<string, unknown> = {}, w = world()): Promise<Provisioning> {
	const owner = bearerOf(w, "OWNER", `root-${crypto.randomUUID()}@own.test`);
	const id = await addProvider(w, "https://id.example.com", more, owner);
	const made = await w.call("POST", `/identity-providers/${id}/scim-token`, { key: "", headers: owner });
	const { token: own } = made.body.data;
	const scim = async (method: string, path: string, body?: unknown, token: string = own): Promise<Answer> => {
		const answer = await w.call(method, `/scim/v2${path}`, {
			key: "",
			headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
			...(body !== undefined && { body }),
		});
		const isScim = answer.headers.get("content-type") === "application/scim+json";
		return isScim ? { ...answer, body: JSON.parse(answer.body) } : answer;
	};
	return { w, scim, owner, id, token: own };
}

export const refused = (answer: Answer, status: number, scimType: string | undefined, says = "") =>
	expect(answer).toMatchObject({
		status,
		body: {
			schemas: [errorSchema],
			...(scimType && { scimType }),
			status: String(status),
			detail: expect.stringContaining(says),
		},
	});

/** The owners of a membership, by address. */
export const members = ({ db, actor }: World) =>
	db.$client
		.query(
			"SELECT u.email, m.role, m.deactivated_at IS NULL AS isIn FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ? AND u.email NOT LIKE 'root-%' ORDER BY u.email",
		)
		.all(actor.accountId);

/** Signed in by the provider, as far as the session goes. */
export function sessionOf(w: World, email: string): Record<string, string> {
	const token = `session-${crypto.randomUUID()}`;
	const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
	const { id } = w.db.$client.query("SELECT id FROM users WHERE email = ?").get(email) as { id: string };
	w.db.$client.run(
		"INSERT INTO sessions (id, user_id, token_hash, provider_id, expires_at, created_at) VALUES (?, ?, ?, (SELECT id FROM identity_providers), ?, 0)",
		[token, id, hash, w.clock.at + 3_600_000],
	);
	return { authorization: `Bearer ${token}`, "x-environment-id": w.environmentId };
}
