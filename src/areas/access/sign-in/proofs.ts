import { assertContentType, parseJson } from "../../../http/body";
import { bodySizeOf, valuesMaxOf } from "../../../http/body-sizes";
import { networkOf, type Peers } from "../../../http/callers/client-address";
import { fail } from "../../../kernel/errors";
import type { Services } from "../../../services";
import type { UserRow } from "../table";
import { SignIns } from "./sign-ins";

/** Verified when there is no such user, so that the time does not tell who has an account. */
const decoyHash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$7pBqCZ7kVJqK4rWJ1N2l1lSkQnV8r6qkq0cQ5m8uZ0Y";

export interface Proof {
	readonly email: string;
	/** Undefined where nobody has this address. */
	readonly user: UserRow | undefined;
	readonly password: string;
	/** What must be right too: a code. Asked for once the password is right. */
	readonly also?: () => boolean;
}

/** From whom a request that signs somebody in has come. */
interface Sent {
	readonly request: Request;
	readonly server: Peers | null;
}

/** How people prove who they are: by passwords and codes, few at once, and with a pause for who sends wrong ones. */
export class Proofs {
	readonly #signIns: SignIns;
	readonly #services: Services;

	constructor(services: Services) {
		this.#services = services;
		this.#signIns = new SignIns(services.limits.clockMs);
	}

	/** Throws Unauthenticated, or RateLimitExceeded for who has sent ten wrong ones in ten minutes. */
	async assertProved({ request, server }: Sent, { email, user, password, also = () => true }: Proof): Promise<void> {
		const { senders } = this.#services;
		const keys = [`email ${email.toLowerCase()}`, `address ${networkOf(senders.of(request, server))}`];
		const isRight = async () =>
			(await Bun.password.verify(password, user?.passwordHash ?? decoyHash).catch(() => false)) &&
			user !== undefined &&
			also();
		if (!(await this.#signIns.attempt(keys, isRight)))
			throw fail("Unauthenticated", "The email address, the password or the code is wrong.");
	}

	/** argon2id. */
	hash(password: string): Promise<string> {
		return this.#signIns.oneAfterAnother(() => Bun.password.hash(password, "argon2id"));
	}

	/** How a route of nobody in particular reads its body. */
	readonly readBody = async (request: Request, route: string): Promise<unknown> => {
		const size = bodySizeOf(request.method, route);
		const text = await this.#services.bodies.text(request, size);
		assertContentType(request, text);
		return parseJson(text, valuesMaxOf[size]);
	};
}
