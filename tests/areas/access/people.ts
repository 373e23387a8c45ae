import { createUser } from "../../../src/areas/access/operations";
import type { Answer, World } from "../../support/world";

export const password = "a long pass phrase";
// Hashed once: argon2id takes its time on purpose.
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export const addUser = (w: World, name: string, role: string, accountId = w.actor.accountId) =>
	w.transactions.write(w.actor, (work) =>
		createUser(work, { email: `${name}@example.com`, name, passwordHash, accountId, role }),
	);

export const login = (w: World, name: string, more: object = {}, address?: string): Promise<Answer> =>
	w.call("POST", "/auth/login", {
		...{ key: "", body: { email: `${name}@example.com`, password, ...more } },
		...(address !== undefined && { address }),
	});

export const calling =
	(w: World, token: string): Call =>
	(method, path, body, headers = {}) =>
		w.call(method, path, {
			key: "",
			...(body !== undefined && { body }),
			headers: { authorization: `Bearer ${token}`, ...headers },
		});

/** A member of our account who is signed in. */
export async function member(w: World, name: string, role: string): Promise<Call> {
	addUser(w, name, role);
	return calling(w, (await login(w, name)).body.data.token);
}
