import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { literals, nullable } from "../../../kernel/schema";
import { LinkToken, NewPassword } from "../members/schema";

/** Long enough for a passphrase; the limit bounds the cost of hashing. */
export const Password = Type.String({ minLength: 1, maxLength: 1024 });

const TotpCode = Type.String({ pattern: "^\\d{6}$", description: "the six digits that the app shows" });
const RecoveryCode = Type.String({ minLength: 1, maxLength: 64, description: "a recovery code, which works once" });

/** One of both, if the user has a second factor. */
export const codes = { totpCode: Type.Optional(TotpCode), recoveryCode: Type.Optional(RecoveryCode) };

export const SessionListQuery = Type.Object(pageQuery, { additionalProperties: false });

export const SessionOfUser = Type.Object(
	{
		id: Type.String(),
		/** Whether it is the caller's session. */
		isCurrent: Type.Boolean(),
		address: nullable(Type.String()),
		userAgent: nullable(Type.String()),
		/** The time of the last call, rounded to the minute. */
		lastSeenAt: Type.String(),
		expiresAt: Type.String(),
		createdAt: Type.String(),
	},
	{ $id: "SessionOfUser" },
);
export type SessionOfUser = Static<typeof SessionOfUser>;

export const ResetRequest = Type.Object(
	{ email: Type.String({ format: "email", maxLength: 255 }) },
	{ additionalProperties: false },
);

export const PasswordReset = Type.Object({ token: LinkToken, password: NewPassword }, { additionalProperties: false });

export const PasswordChange = Type.Object(
	{ currentPassword: Password, password: NewPassword },
	{ additionalProperties: false },
);

export const TotpEnrol = Type.Object({ password: Password }, { additionalProperties: false });

export const TotpEnrolment = Type.Object(
	{
		/** Base32, for apps without a camera. */
		secret: Type.String(),
		/** For a QR code: `otpauth://totp/…`. */
		uri: Type.String(),
	},
	{ $id: "TotpEnrolment" },
);

export const TotpConfirm = Type.Object({ totpCode: TotpCode }, { additionalProperties: false });

export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) }, { $id: "RecoveryCodes" });

export const TotpDrop = Type.Object({ password: Password, ...codes }, { additionalProperties: false });

/** The response to a correct password of a user with a second factor. */
export const SecondFactorAsked = Type.Object({ secondFactor: literals("TOTP") });
