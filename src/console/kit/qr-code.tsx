import { encode } from "uqr";

/** The quiet zone that scanners need. */
const border = 4;

/** A QR code, drawn in the browser because its content is secret. It is black on white in the dark scheme too, so that cameras can read it. */
export function QrCode({ of, label }: { readonly of: string; readonly label: string }) {
	const { data, size } = encode(of, { ecc: "M", border });
	const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
	return (
		<svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
			<path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
			<path fill="#000" d={dark} />
		</svg>
	);
}
