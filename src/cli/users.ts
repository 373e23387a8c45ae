import { Command, InvalidArgumentError } from "commander";
import { findMemberOfUser, updateMember } from "../areas/access/members/operations";
import { findRoleNamed } from "../areas/access/members/operations.roles";
import { builtInRoleNames } from "../areas/access/members/rules";
import { chooseEnvironment, createUser, findUser } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { isEmail } from "../areas/access/rules.emails";
import { passwordLengthMin } from "../areas/access/rules.sessions";
import { vouchForPassword } from "../areas/access/sign-in/operations.passwords";
import { dropSecondFactor } from "../areas/access/sign-in/operations.second-factor";
import type { UserRow } from "../areas/access/table";
import { fail, shorten } from "../kernel/errors";
import { type Work, workIn } from "../kernel/work";
import type { CliContext } from "./context";
import { environmentOption, operator, readName, withFolder } from "./open-folder";

const roleText = `in the account: ${builtInRoleNames.join(", ")}, or one of its own by name`;

export function usersCommand(context: CliContext): Command {
	const users = new Command("users").description("People who sign in. Works on a stopped and on a running server.");
	const { print } = context;
	users
		.command("create")
		.description("make a user; the password is read from standard input when it is not an option")
		.requiredOption("--email <address>", "by which the user signs in")
		.option("--name <text>", "the user's name", readName)
		.option("--password <text>", "at least 10 characters; better given on standard input")
		.option("--role <role>", roleText, "MEMBER")
		.addOption(environmentOption())
		.action(
			async (options: { email: string; name?: string; password?: string; role: string; environment?: string }) => {
				if (!isEmail(options.email)) throw new InvalidArgumentError("An email address has a name, an @ and a host.");
				const passwordHash = await passwordOf(options);
				withFolder(context, (transactions) => {
					const user = transactions.write(operator, (work) => {
						const { accountId } = chooseEnvironment(work, options.environment);
						const role = roleNamed(workIn(work, systemActor("", accountId)), options.role);
						return createUser(work, {
							email: options.email,
							name: options.name ?? null,
							passwordHash,
							accountId,
							role,
						});
					});
					print(`${user.id}  ${user.email}`);
				});
			},
		);
	users
		.command("set-password")
		.description(
			"give a user another password, which is read from standard input when it is not an option; all sessions end",
		)
		.requiredOption("--email <address>", "whose")
		.option("--password <text>", "at least 10 characters; better given on standard input")
		.action(async (options: { email: string; password?: string }) => {
			const passwordHash = await passwordOf(options);
			withFolder(context, (transactions) =>
				transactions.write(operator, (work) => vouchForPassword(work, userOf(work, options.email), passwordHash)),
			);
			print(`${options.email} has another password and is signed out`);
		});
	users
		.command("drop-second-factor")
		.description("for who has lost the app and the recovery codes: from then on the password is enough")
		.requiredOption("--email <address>", "whose")
		.action(({ email }: { email: string }) => {
			withFolder(context, (transactions) =>
				transactions.write(operator, (work) => dropSecondFactor(work, userOf(work, email).id)),
			);
			print(`${email} has no second factor`);
		});
	users
		.command("set-role")
		.description("give a member another role in its account")
		.requiredOption("--email <address>", "whose")
		.requiredOption("--role <role>", roleText)
		.addOption(environmentOption())
		.action((options: { email: string; role: string; environment?: string }) => {
			withFolder(context, (transactions) =>
				transactions.write(operator, (work) => {
					const { accountId } = chooseEnvironment(work, options.environment);
					const inAccount = workIn(work, systemActor("", accountId));
					const member = findMemberOfUser(inAccount, userOf(work, options.email).id);
					if (!member) throw fail("MemberNotFound", `'${options.email}' is no member of this account.`);
					updateMember(inAccount, member.id, { role: roleNamed(inAccount, options.role) });
				}),
			);
			print(`${options.email} has the role ${options.role}`);
		});
	return users;
}

async function passwordOf({ password: given }: { readonly password?: string }): Promise<string> {
	const password = given ?? (await Bun.stdin.text()).trim();
	if (password.length < passwordLengthMin)
		throw new InvalidArgumentError(`A password has at least ${passwordLengthMin} characters.`);
	return Bun.password.hash(password, "argon2id");
}

function userOf(work: Work, email: string): UserRow {
	const user = findUser(work, email);
	if (!user) throw fail("MemberNotFound", `There is no user '${email}'.`);
	return user;
}

/** The names of the roles: READ_ONLY was once called VIEWER. */
function roleNamed(work: Work, name: string): string {
	const role = findRoleNamed(work, name === "VIEWER" ? "READ_ONLY" : name);
	if (role === undefined)
		throw new InvalidArgumentError(`There is no role '${shorten(name)}': choose of ${builtInRoleNames.join(", ")}.`);
	return role;
}
