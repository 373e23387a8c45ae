import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import {
	type RecoveryCodes,
	TotpConfirm,
	TotpDrop,
	TotpEnrol,
	type TotpEnrolment,
} from "../../../areas/access/sign-in/schema";
import { send } from "../../api";
import { copy } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { Card } from "../../kit/page";
import { QrCode } from "../../kit/qr-code";
import { Badge } from "../../kit/status";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/own-sign-in";
import type { Me } from "../../session";

export function SecondFactorCard({ me: { hasPassword, hasSecondFactor } }: { readonly me: Me }) {
	const [open, setOpen] = useState<"on" | "off">();
	const [codes, setCodes] = useState<readonly string[]>();
	const close = () => setOpen(undefined);
	if (!hasPassword) return null;
	return (
		<Card title={t.factor} text={t.factorText}>
			<div className="actions">
				<Badge tone={hasSecondFactor ? "good" : "quiet"}>{hasSecondFactor ? t.on : t.off}</Badge>
				<button
					type="button"
					className={hasSecondFactor ? "danger" : "solid"}
					onClick={() => setOpen(hasSecondFactor ? "off" : "on")}
				>
					{hasSecondFactor ? t.turnOff : t.setUp}
				</button>
			</div>
			<Dialog title={`${t.factor}: ${t.setUp}`} isOpen={open === "on"} onClose={close}>
				<SetUp
					onClose={close}
					onCodes={(recoveryCodes) => {
						close();
						setCodes(recoveryCodes);
					}}
				/>
			</Dialog>
			<Dialog title={`${t.factor}: ${t.turnOff}`} isOpen={open === "off"} onClose={close}>
				<TurnOff onClose={close} />
			</Dialog>
			<Dialog title={t.recovery} isOpen={codes !== undefined} onClose={() => setCodes(undefined)}>
				<p>{t.recoveryText}</p>
				<pre>{codes?.join("\n")}</pre>
				<footer>
					<button type="button" onClick={() => void copy(codes?.join("\n") ?? "")}>
						{t.copyAll}
					</button>
					<button type="button" className="solid" onClick={() => setCodes(undefined)}>
						{t.kept}
					</button>
				</footer>
			</Dialog>
		</Card>
	);
}

type Enrolment = Static<typeof TotpEnrolment>;

interface SetUpProps {
	readonly onClose: () => void;
	readonly onCodes: (codes: readonly string[]) => void;
}

/** The password, then a code of the app that has taken the key. */
function SetUp({ onClose, onCodes }: SetUpProps) {
	const [enrolment, setEnrolment] = useState<Enrolment>();
	if (!enrolment)
		return (
			<Form
				schema={TotpEnrol}
				action={t.continue}
				onCancel={onClose}
				submit={(body) => send("POST", "/auth/totp/enrol", body)}
				onDone={({ data }: { data: Enrolment }) => setEnrolment(data)}
			>
				<p>{t.setUpText}</p>
				<TextField name="password" label={t.password} type="password" autoComplete="current-password" isRequired />
			</Form>
		);
	const { secret, uri } = enrolment;
	return (
		<Form
			// The code is of another form than the password was.
			key="code"
			schema={TotpConfirm}
			action={t.confirm}
			onCancel={onClose}
			submit={(body) => send("POST", "/auth/totp/confirm", body)}
			onDone={({ data }: { data: Static<typeof RecoveryCodes> }) => onCodes(data.recoveryCodes)}
		>
			<p>{t.scanText}</p>
			<QrCode of={uri} label={t.qr} />
			<div className="field">
				<span className="strong">{t.key}</span>
				<span className="with-unit">
					<pre>{secret.match(/.{1,4}/g)?.join(" ")}</pre>
					<button type="button" onClick={() => void copy(secret)}>
						{t.copy}
					</button>
				</span>
			</div>
			<TextField name="totpCode" label={t.code} hint={t.codeHint} autoComplete="one-time-code" isRequired />
		</Form>
	);
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
	const [isRecovery, setRecovery] = useState(false);
	return (
		<Form
			key={String(isRecovery)}
			schema={TotpDrop}
			action={t.turnOff}
			onCancel={onClose}
			submit={({ password, totpCode, recoveryCode }) =>
				send("DELETE", "/auth/totp", { password, ...(isRecovery ? { recoveryCode } : { totpCode }) })
			}
			onDone={() => {
				onClose();
				toast(t.turnedOff);
			}}
		>
			<p>{t.turnOffText}</p>
			<TextField name="password" label={t.password} type="password" autoComplete="current-password" isRequired />
			{isRecovery ? (
				<TextField name="recoveryCode" label={t.recoveryCode} isRequired />
			) : (
				<TextField name="totpCode" label={t.code} hint={t.codeHint} autoComplete="one-time-code" isRequired />
			)}
			<button type="button" className="link small" onClick={() => setRecovery(!isRecovery)}>
				{isRecovery ? t.useApp : t.useRecovery}
			</button>
		</Form>
	);
}
