package syntax

// Operators are numbered from one: zero is no operator.
type (
	RedirOperator    uint8
	ProcOperator     uint8
	GlobOperator     uint8
	BinCmdOperator   uint8
	CaseOperator     uint8
	ParNamesOperator uint8
	ParExpOperator   uint8
	UnAritOperator   uint8
	BinAritOperator  uint8
	UnTestOperator   uint8
	BinTestOperator  uint8
)

const (
	RdrOut RedirOperator = iota + 1
	AppOut
	RdrIn
	RdrInOut
	DplIn
	DplOut
	RdrClob
	Hdoc
	DashHdoc
	WordHdoc
	RdrAll
	AppAll
)

var redirOperators = [...]string{"", ">", ">>", "<", "<>", "<&", ">&", ">|", "<<", "<<-", "<<<", "&>", "&>>"}

func (o RedirOperator) String() string { return redirOperators[o] }

const (
	CmdIn ProcOperator = iota + 1
	CmdOut
)

var procOperators = [...]string{"", "<(", ">("}

func (o ProcOperator) String() string { return procOperators[o] }

const (
	GlobZeroOrOne GlobOperator = iota + 1
	GlobZeroOrMore
	GlobOneOrMore
	GlobOne
	GlobExcept
)

var globOperators = [...]string{"", "?(", "*(", "+(", "@(", "!("}

func (o GlobOperator) String() string { return globOperators[o] }

const (
	AndStmt BinCmdOperator = iota + 1
	OrStmt
	Pipe
	PipeAll
)

var binCmdOperators = [...]string{"", "&&", "||", "|", "|&"}

func (o BinCmdOperator) String() string { return binCmdOperators[o] }

const (
	Break CaseOperator = iota + 1
	Fallthrough
	Resume
)

var caseOperators = [...]string{"", ";;", ";&", ";;&"}

func (o CaseOperator) String() string { return caseOperators[o] }

const (
	NamesPrefix ParNamesOperator = iota + 1
	NamesPrefixWords
)

var parNamesOperators = [...]string{"", "*", "@"}

func (o ParNamesOperator) String() string { return parNamesOperators[o] }

const (
	AlternateUnset ParExpOperator = iota + 1
	AlternateUnsetOrNull
	DefaultUnset
	DefaultUnsetOrNull
	ErrorUnset
	ErrorUnsetOrNull
	AssignUnset
	AssignUnsetOrNull
	RemSmallSuffix
	RemLargeSuffix
	RemSmallPrefix
	RemLargePrefix
	UpperFirst
	UpperAll
	LowerFirst
	LowerAll
	OtherParamOps
)

var parExpOperators = [...]string{
	"", "+", ":+", "-", ":-", "?", ":?", "=", ":=", "%", "%%", "#", "##", "^", "^^", ",", ",,", "@",
}

func (o ParExpOperator) String() string { return parExpOperators[o] }

const (
	Not UnAritOperator = iota + 1
	BitNegation
	Inc
	Dec
	Plus
	Minus
)

var unAritOperators = [...]string{"", "!", "~", "++", "--", "+", "-"}

func (o UnAritOperator) String() string { return unAritOperators[o] }

const (
	Add BinAritOperator = iota + 1
	Sub
	Mul
	Quo
	Rem
	Pow
	Eql
	Gtr
	Lss
	Neq
	Leq
	Geq
	And
	Or
	Xor
	Shr
	Shl
	AndArit
	OrArit
	Comma
	TernQuest
	TernColon
	Assgn
	AddAssgn
	SubAssgn
	MulAssgn
	QuoAssgn
	RemAssgn
	AndAssgn
	OrAssgn
	XorAssgn
	ShlAssgn
	ShrAssgn
)

var binAritOperators = [...]string{
	"", "+", "-", "*", "/", "%", "**", "==", ">", "<", "!=", "<=", ">=", "&", "|", "^", ">>", "<<", "&&", "||", ",", "?", ":",
	"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
}

func (o BinAritOperator) String() string { return binAritOperators[o] }

const (
	TsExists UnTestOperator = iota + 1
	TsRegFile
	TsDirect
	TsCharSp
	TsBlckSp
	TsNmPipe
	TsSocket
	TsSmbLink
	TsSticky
	TsGIDSet
	TsUIDSet
	TsGrpOwn
	TsUsrOwn
	TsModif
	TsRead
	TsWrite
	TsExec
	TsNoEmpty
	TsFdTerm
	TsEmpStr
	TsNempStr
	TsOptSet
	TsVarSet
	TsRefVar
	TsNot
)

var unTestOperators = [...]string{
	"", "-e", "-f", "-d", "-c", "-b", "-p", "-S", "-L", "-k", "-g", "-u", "-G", "-O", "-N", "-r", "-w", "-x", "-s", "-t", "-z",
	"-n", "-o", "-v", "-R", "!",
}

func (o UnTestOperator) String() string { return unTestOperators[o] }

const (
	TsReMatch BinTestOperator = iota + 1
	TsNewer
	TsOlder
	TsDevIno
	TsEql
	TsNeq
	TsLeq
	TsGeq
	TsLss
	TsGtr
	AndTest
	OrTest
	TsMatchShort
	TsMatch
	TsNoMatch
	TsBefore
	TsAfter
)

var binTestOperators = [...]string{
	"", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-le", "-ge", "-lt", "-gt", "&&", "||", "=", "==", "!=", "<", ">",
}

func (o BinTestOperator) String() string { return binTestOperators[o] }

// numbered returns the number of an operator in its table, 0 if it is not there.
func numbered[T ~uint8](table []string, text string) T {
	for i, name := range table {
		if i > 0 && name == text {
			return T(i)
		}
	}
	return 0
}
