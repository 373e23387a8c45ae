import type { Scope } from "../../src/areas/access/rules.actors";

/** A request that a route of people takes: of an account's members, of the signed-in user, or of anybody. */
export interface PeopleTemplate {
	/** Below `/api/v1`; `{member}`, `{invitation}`, `{role}` and `{session}` stand for ids that only the running world knows. */
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
	/** The caller, a member by the role in the account. Undefined: the caller that `callers` names. */
	readonly scope?: Scope;
	readonly callers?: "user" | "anyone";
	/** The status with which the template itself answers; its success status when left out. */
	readonly answers?: readonly [status: number, code: string | null];
	/** A path that names what nobody has, and the code of the 404. */
	readonly unknown?: readonly [path: string, code: string | null];
}

const none = "01900000-0000-7000-8000-000000000000";
const password = "correct horse battery staple";
const read = "MEMBER:READ";
const write = "MEMBER:WRITE";
const ofMember = { path: "/members/{member}", scope: write, unknown: [`/members/${none}`, "MemberNotFound"] } as const;
const ofRole = { path: "/roles/{role}", scope: write, unknown: [`/roles/${none}`, null] } as const;
const refused = [401, "Unauthenticated"] as const;

export const people: Readonly<Record<string, PeopleTemplate>> = {
	"GET /members": { path: "/members", scope: read },
	"PATCH /members/:id": { ...ofMember, body: { role: "SUPPORT", environmentRoles: [], status: "ACTIVE" } },
	"DELETE /members/:id": ofMember,
	"GET /members/invitations": { path: "/members/invitations", scope: read },
	"POST /members/invitations": {
		path: "/members/invitations",
		scope: write,
		body: { email: "new@acme.test", role: "SUPPORT", environmentRoles: [], expireAt: "2026-02-03T00:00:00Z" },
	},
	"DELETE /members/invitations/:id": {
		path: "/members/invitations/{invitation}",
		scope: write,
		unknown: [`/members/invitations/${none}`, null],
	},
	"GET /roles": { path: "/roles", scope: read },
	"POST /roles": {
		path: "/roles",
		scope: write,
		body: { name: "Reader", scopes: [{ resource: "CATALOG", action: "READ" }] },
	},
	"PATCH /roles/:id": { ...ofRole, body: { name: "Editor", scopes: [{ resource: "CATALOG", action: "WRITE" }] } },
	"DELETE /roles/:id": ofRole,
	"GET /sessions": { path: "/sessions", callers: "user" },
	"DELETE /sessions": { path: "/sessions", callers: "user" },
	"DELETE /sessions/:id": { path: "/sessions/{session}", callers: "user", unknown: [`/sessions/${none}`, null] },
	"POST /auth/password": {
		path: "/auth/password",
		callers: "user",
		body: { currentPassword: password, password },
		answers: refused,
	},
	"POST /auth/password/reset-request": {
		path: "/auth/password/reset-request",
		callers: "anyone",
		body: { email: "nobody@acme.test" },
		answers: [409, null],
	},
	"POST /auth/password/reset": {
		path: "/auth/password/reset",
		callers: "anyone",
		body: { token: "reset-of-nobody", password },
		answers: [400, "BadUserInput"],
	},
	"POST /auth/invitations/accept": {
		path: "/auth/invitations/accept",
		callers: "anyone",
		body: { token: "invitation-of-nobody", password, name: "Nobody" },
		answers: [400, "MemberInvitationError"],
	},
	"POST /auth/totp/enrol": { path: "/auth/totp/enrol", callers: "user", body: { password }, answers: refused },
	"POST /auth/totp/confirm": {
		path: "/auth/totp/confirm",
		callers: "user",
		body: { totpCode: "123456" },
		answers: [400, "BadUserInput"],
	},
	"DELETE /auth/totp": {
		path: "/auth/totp",
		callers: "user",
		body: { password, totpCode: "123456" },
		answers: [400, "BadUserInput"],
	},
};
