import { encode } from "uqr";

/** Light around it, as readers want it. */
const border = 4;

/** Drawn here: what it says goes to nobody. Black on white in the dark too, as cameras read it. */
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
