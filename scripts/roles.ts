/** `bun run roles`: writes docs/roles.md out of the built-in roles. */
import {
	builtInRoleNames,
	builtInRoles,
	type Rights,
	rightsOfBuiltIn,
	roleScopes,
} from "../src/areas/access/members/rules";

const resources = [...new Set(roleScopes.map((scope) => scope.replace(/:.*/, "")))];

/** What is written includes what is read. */
function cell(rights: Rights, resource: string): string {
	const scopes: ReadonlySet<string> = rights === "everything" ? new Set(roleScopes) : rights;
	return scopes.has(`${resource}:WRITE`) ? "WRITE" : scopes.has(`${resource}:READ`) ? "READ" : "";
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

export const rolesPage = (): string =>
	[
		"# Roles",
		"",
		"What the built-in roles may do: a scope is a resource with READ or WRITE, and WRITE includes READ. Which scope an operation needs is in its",
		"description ([the API](api.md)). An account makes further roles as sets of scopes, and a member may have another role in single environments",
		"([People](people.md)). This page is written by `bun run roles`.",
		"",
		...builtInRoleNames.map((name) => `- **${name}**: ${builtInRoles[name].description}.`),
		"",
		row(["", ...builtInRoleNames]),
		row(["---", ...builtInRoleNames.map(() => "---")]),
		...resources.map((resource) =>
			row([resource, ...builtInRoleNames.map((name) => cell(rightsOfBuiltIn(name), resource))]),
		),
		"",
		"What belongs to the account as a whole (MEMBER) goes by the role in the account; everything else by the role in the environment. MEMBER is for",
		"people only: an API key belongs to one environment.",
		"",
	].join("\n");

if (import.meta.main) await Bun.write("docs/roles.md", rolesPage());
