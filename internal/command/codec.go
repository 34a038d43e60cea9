package command

import "longline/internal/record"

// The compiled form of models. Subcommands are nested records that are read
// only when entered, flags and variables when they are asked about, so that a program
// with a hundred of them costs no more than those that are used.

// EncodeModel returns the compiled form of a model.
func EncodeModel(m *Model) string {
	var w record.Writer
	w.Texts(m.Names)
	encodeLevel(&w, &m.Level)
	return string(w.Bytes())
}

// DecodeModel reads the compiled form of a model.
func DecodeModel(data string) (*Model, error) {
	r := record.NewReader(data)
	m := &Model{Names: r.Texts()}
	decodeLevel(r, &m.Level)
	return m, r.End()
}

const (
	bitAbbrev = 1 << iota
	bitPermute
	bitUnlisted
	bitNumbers
	bitPlus
	bitResponse
	bitSame
)

func encodeLevel(w *record.Writer, l *Level) {
	bits := byte(0)
	for i, set := range []bool{l.Abbrev, l.Permute, l.Unlisted, l.Numbers, l.Plus, l.Response, len(l.Same) > 0} {
		if set {
			bits |= 1 << i
		}
	}
	w.Byte(byte(l.Grammar))
	w.Byte(bits)
	l.Flags.encode(w)
	l.Global.encode(w)
	record.List(w, l.Operands, encodeItem)
	record.List(w, l.After, encodeItem)
	record.List(w, l.Effects, encodeSpec)
	record.List(w, l.Modes, encodeMode)
	l.Subs.encode(w)
	w.Texts(l.Groups)
	w.Texts(l.Dry)
	w.Texts(l.Loads)
	if len(l.Same) > 0 {
		w.Texts(l.Same)
	}
	w.Text(l.Stdin)
	w.Text(l.Output)
	w.Text(l.Holds)
	w.Text(l.Lands)
	l.Env.encode(w)
}

func decodeLevel(r *record.Reader, l *Level) {
	l.Grammar = Grammar(r.Byte())
	bits := r.Byte()
	l.Abbrev, l.Permute, l.Unlisted = bits&bitAbbrev != 0, bits&bitPermute != 0, bits&bitUnlisted != 0
	l.Numbers, l.Plus, l.Response = bits&bitNumbers != 0, bits&bitPlus != 0, bits&bitResponse != 0
	l.Flags.raw, l.Global.raw = r.Text(), r.Text()
	l.Operands = record.ReadList(r, decodeItem)
	l.After = record.ReadList(r, decodeItem)
	l.Effects = record.ReadList(r, decodeSpec)
	l.Modes = record.ReadList(r, decodeMode)
	l.Subs.raw = r.Text()
	l.Groups, l.Dry, l.Loads = r.Texts(), r.Texts(), r.Texts()
	if bits&bitSame != 0 {
		l.Same = r.Texts()
	}
	l.Stdin, l.Output, l.Holds, l.Lands = r.Text(), r.Text(), r.Text(), r.Text()
	l.Env.raw = r.Text()
}

func encodeFlags(w *record.Writer, flags []Flag) {
	record.List(w, flags, func(w *record.Writer, f Flag) {
		w.Text(f.Name)
		encodeFlag(w, f)
	})
}

func decodeFlags(r *record.Reader) []Flag {
	return record.ReadList(r, func(r *record.Reader) Flag {
		f := Flag{Name: r.Text()}
		decodeFlag(r, &f)
		return f
	})
}

func encodeFlag(w *record.Writer, f Flag) {
	w.Bool(f.Optional)
	record.List(w, f.Values, encodeUses)
}

func decodeFlag(r *record.Reader, f *Flag) {
	f.Optional, f.Values = r.Bool(), record.ReadList(r, decodeUses)
}

func encodeUses(w *record.Writer, uses []Use) {
	record.List(w, uses, func(w *record.Writer, u Use) {
		w.Text(u.Name)
		w.Text(u.Arg)
	})
}

func decodeUses(r *record.Reader) []Use {
	return record.ReadList(r, func(r *record.Reader) Use { return Use{Name: r.Text(), Arg: r.Text()} })
}

func encodeItem(w *record.Writer, it Item) {
	encodeUses(w, it.Uses)
	w.Bool(it.Many)
	w.Bool(it.Optional)
}

func decodeItem(r *record.Reader) Item {
	return Item{Uses: decodeUses(r), Many: r.Bool(), Optional: r.Bool()}
}

func encodeSpec(w *record.Writer, s Spec) {
	w.Text(s.Kind)
	w.Text(s.Target)
}

func decodeSpec(r *record.Reader) Spec { return Spec{Kind: r.Text(), Target: r.Text()} }

func encodeMode(w *record.Writer, m Mode) {
	w.Texts(m.When)
	w.Texts(m.Unless)
	w.Byte(byte(m.Operands))
	w.Byte(byte(m.Piped))
	w.Bool(m.Tree)
	encodeFlags(w, m.Flags)
	record.List(w, m.Items, encodeItem)
	record.List(w, m.Effects, encodeSpec)
	w.Text(m.Stdin)
	w.Text(m.Output)
	w.Text(m.Lands)
}

func decodeMode(r *record.Reader) Mode {
	return Mode{
		When: r.Texts(), Unless: r.Texts(), Operands: Presence(r.Byte()), Piped: Presence(r.Byte()), Tree: r.Bool(), Flags: decodeFlags(r),
		Items: record.ReadList(r, decodeItem), Effects: record.ReadList(r, decodeSpec), Stdin: r.Text(), Output: r.Text(), Lands: r.Text(),
	}
}

func encodeEnv(w *record.Writer, e EnvUse) {
	w.Text(e.Name)
	encodeUses(w, e.Uses)
}

func decodeEnv(r *record.Reader) EnvUse { return EnvUse{Name: r.Text(), Uses: decodeUses(r)} }
