import { Command } from "commander";
import { endRequirement, listAllProviders } from "../areas/identity-providers/operations";
import type { IdentityProviderRow } from "../areas/identity-providers/table";
import type { CliContext } from "./context";
import { operator, withFolder } from "./open-folder";

const line = ({ id, accountId, name, issuer, isRequired }: IdentityProviderRow): string =>
	`${id}  ${name}  ${issuer}  (account ${accountId}, ${isRequired ? "required" : "not required"})`;

export function identityProvidersCommand(context: CliContext): Command {
	const { print } = context;
	const providers = new Command("identity-providers").description(
		"Sign-in by OpenID Connect. Works on a stopped and on a running server.",
	);
	providers
		.command("list")
		.description("all of this folder")
		.action(() =>
			withFolder(context, (transactions) => print(transactions.read(operator, listAllProviders).map(line).join("\n"))),
		);
	providers
		.command("end-requirement")
		.description("let passwords in again, where a required provider lets nobody in")
		.argument("<id or name>", "which one")
		.action((idOrName: string) =>
			withFolder(context, (transactions) =>
				print(line(transactions.write(operator, (work) => endRequirement(work, idOrName)))),
			),
		);
	return providers;
}
