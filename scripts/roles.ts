/** `bun run roles` writes docs/roles.md from the built-in roles. */
import {
	builtInRoleNames,
	builtInRoles,
	type Rights,
	rightsOfBuiltIn,
	roleScopes,
} from "../src/areas/access/members/rules";

const resources = [...new Set(roleScopes.map((scope) => scope.replace(/:.*/, "")))];

/** WRITE includes READ. */
function cell(rights: Rights, resource: string): string {
	const scopes: ReadonlySet<string> = rights === "everything" ? new Set(roleScopes) : rights;
	return scopes.has(`${resource}:WRITE`) ? "WRITE" : scopes.has(`${resource}:READ`) ? "READ" : "";
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

export const rolesPage = (): string =>
	[
		"# Roles",
		"",
		"This page lists the scopes of the built-in roles. A scope is a resource with READ or WRITE, and WRITE includes READ. The description of each",
		"operation names the scope that it needs ([the API](api.md)). Accounts can create further roles as sets of scopes. A member can have another role in",
		"single environments ([People](people.md)). `bun run roles` generates this page.",
		"",
		...builtInRoleNames.map((name) => `- **${name}**: ${builtInRoles[name].description}.`),
		"",
		row(["", ...builtInRoleNames]),
		row(["---", ...builtInRoleNames.map(() => "---")]),
		...resources.map((resource) =>
			row([resource, ...builtInRoleNames.map((name) => cell(rightsOfBuiltIn(name), resource))]),
		),
		"",
		"The role in the account decides about MEMBER, which belongs to the whole account. The role in the environment decides about all other resources.",
		"API keys cannot have MEMBER, because a key belongs to one environment.",
		"",
	].join("\n");

if (import.meta.main) await Bun.write("docs/roles.md", rolesPage());
