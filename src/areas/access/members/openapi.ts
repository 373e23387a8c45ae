import { operation } from "../../../openapi/operation";

const someId = "01900000-0000-7000-8000-000000000000";
const member = { id: ["The member's id", someId] } as const;
const invitation = { id: ["The invitation's id", someId] } as const;
const role = { id: ["The role's id", someId] } as const;
const noInvitation = { 404: "There is no such invitation." };
const noRole = { 404: "There is no such role." };
const given = ["EnvironmentMissing"] as const;

export const memberOperations = {
	list: operation({
		operationId: "members.list",
		summary: "List members",
		description: "The members of the account, with their roles.",
	}),
	update: operation({
		operationId: "members.update",
		summary: "Change a member's roles, or deactivate it",
		description:
			"`environmentRoles` replaces the former list. A DEACTIVATED member is signed out and cannot sign in. Callers can grant, change and remove only rights that they have; the account keeps an owner.",
		path: member,
		example: { role: "SUPPORT" },
		refusals: ["MemberNotFound", "InvalidMemberDelete", "InvalidArgumentError", ...given],
	}),
	remove: operation({
		operationId: "members.remove",
		summary: "Remove a member",
		description: "The user's sessions in the account and its invitations end.",
		path: member,
		refusals: ["MemberNotFound", "InvalidMemberDelete"],
	}),
	invite: operation({
		operationId: "members.invite",
		summary: "Invite somebody",
		description:
			"Only this response shows `link` and `token`. If the server sends email, the address receives the link too. A former invitation of the same address ends.",
		example: { email: "grace@example.com", role: "DEVELOPER" },
		refusals: ["MemberInvitationError", ...given],
	}),
	listInvitations: operation({
		operationId: "members.invitations.list",
		summary: "List invitations",
		description: "Pending invitations, and those that expired in the last month.",
	}),
	deleteInvitation: operation({
		operationId: "members.invitations.delete",
		summary: "Delete an invitation",
		path: invitation,
		uncoded: noInvitation,
	}),
	acceptInvitation: operation({
		operationId: "auth.acceptInvitation",
		summary: "Accept an invitation",
		description:
			"With the token of the link. A new user chooses a password; an existing user sends the current one. Sign in afterwards.",
		example: { token: "invitation-of-nobody", password: "correct horse battery staple", name: "Grace" },
		callers: "anyone",
		refusals: ["MemberInvitationError", "Unauthenticated", "RateLimitExceeded"],
	}),
};

export const roleOperations = {
	list: operation({
		operationId: "roles.list",
		summary: "List roles",
		description: "The built-in roles and the account's own.",
	}),
	create: operation({
		operationId: "roles.create",
		summary: "Create a role",
		description: "A role is a set of scopes. You need each of them.",
		example: { name: "Catalogue editor", scopes: [{ resource: "CATALOG", action: "WRITE" }] },
		refusals: ["DuplicatedEntityNotAllowed"],
	}),
	update: operation({
		operationId: "roles.update",
		summary: "Change a role",
		description: "The change applies immediately to all members with the role.",
		path: role,
		example: { name: "Editor" },
		refusals: ["DuplicatedEntityNotAllowed"],
		uncoded: noRole,
	}),
	delete: operation({
		operationId: "roles.delete",
		summary: "Delete an unused role",
		path: role,
		refusals: ["InvalidArgumentError"],
		uncoded: noRole,
	}),
};
