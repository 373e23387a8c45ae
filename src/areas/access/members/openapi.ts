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
		description: "The people of the account, with their roles.",
	}),
	update: operation({
		operationId: "members.update",
		summary: "Change a member's roles, or whether it is let in",
		description:
			"`environmentRoles` replaces the former list. Who is DEACTIVATED is signed out, and not let in. Nobody gives, changes or takes away more than it has itself; the last owner stays one.",
		path: member,
		example: { role: "SUPPORT" },
		refusals: ["MemberNotFound", "InvalidMemberDelete", "InvalidArgumentError", ...given],
	}),
	remove: operation({
		operationId: "members.remove",
		summary: "Remove a member",
		description: "All sessions of the user end, and the invitations that it has made.",
		path: member,
		refusals: ["MemberNotFound", "InvalidMemberDelete"],
	}),
	invite: operation({
		operationId: "members.invite",
		summary: "Invite somebody",
		description:
			"`link` and `token` are in this answer only; where the server sends mail, the link goes to the address too. A former invitation of the same address ends.",
		example: { email: "grace@example.com", role: "DEVELOPER" },
		refusals: ["MemberInvitationError", ...given],
	}),
	listInvitations: operation({
		operationId: "members.invitations.list",
		summary: "List invitations",
		description: "Those that were not accepted; what has expired is shown for a month.",
	}),
	deleteInvitation: operation({
		operationId: "members.invitations.delete",
		summary: "Take back an invitation",
		path: invitation,
		uncoded: noInvitation,
	}),
	acceptInvitation: operation({
		operationId: "auth.acceptInvitation",
		summary: "Accept an invitation",
		description:
			"With the token of the link. Who is new chooses a password; who has signed in here before sends the password of then. Sign in afterwards.",
		example: { token: "invitation-of-nobody", password: "correct horse battery staple", name: "Grace" },
		callers: "anyone",
		refusals: ["MemberInvitationError", "Unauthenticated", "RateLimitExceeded"],
	}),
};

export const roleOperations = {
	list: operation({
		operationId: "roles.list",
		summary: "List roles",
		description: "The built-in ones, and those of the account's own.",
	}),
	create: operation({
		operationId: "roles.create",
		summary: "Create a role",
		description: "A set of scopes, none of which its maker lacks.",
		example: { name: "Catalogue editor", scopes: [{ resource: "CATALOG", action: "WRITE" }] },
		refusals: ["DuplicatedEntityNotAllowed"],
	}),
	update: operation({
		operationId: "roles.update",
		summary: "Change a role",
		description: "It counts at once for everybody who has it.",
		path: role,
		example: { name: "Editor" },
		refusals: ["DuplicatedEntityNotAllowed"],
		uncoded: noRole,
	}),
	delete: operation({
		operationId: "roles.delete",
		summary: "Delete a role that nobody has",
		path: role,
		refusals: ["InvalidArgumentError"],
		uncoded: noRole,
	}),
};
