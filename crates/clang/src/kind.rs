//! The kinds of syntax-tree nodes.

use clang_sys::*;
use serde::{Deserialize, Serialize};

/// The kind of a node: libclang's cursor kinds, merged where Lapidary need not tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    // Declarations.
    Struct,
    Union,
    Class,
    Enum,
    Field,
    EnumConstant,
    Function,
    Variable,
    Parameter,
    Typedef,
    Method,
    Constructor,
    Destructor,
    Conversion,
    Namespace,
    Linkage,
    TemplateTypeParameter,
    TemplateValueParameter,
    TemplateTemplateParameter,
    FunctionTemplate,
    ClassTemplate,
    PartialSpecialization,
    AliasTemplate,
    NamespaceAlias,
    UsingDirective,
    UsingDeclaration,
    AccessSpecifier,
    StaticAssert,
    Friend,
    OtherDeclaration,
    // References inside declarations and types.
    TypeReference,
    BaseSpecifier,
    TemplateReference,
    NamespaceReference,
    MemberReference,
    LabelReference,
    OverloadedReference,
    VariableReference,
    // Expressions.
    Name,
    Member,
    Call,
    Literal,
    StringLiteral,
    Parentheses,
    Unary,
    Subscript,
    Binary,
    CompoundAssignment,
    Conditional,
    Cast,
    CompoundLiteral,
    InitialiserList,
    StatementExpression,
    TypeTrait,
    This,
    Throw,
    New,
    Delete,
    Lambda,
    OtherExpression,
    // Statements.
    Label,
    Compound,
    Case,
    Default,
    If,
    Switch,
    While,
    Do,
    For,
    RangeFor,
    Goto,
    Continue,
    Break,
    Return,
    Assembly,
    Try,
    Catch,
    Empty,
    DeclarationStatement,
    OtherStatement,
    Attribute,
    // Preprocessor entities.
    MacroDefinition,
    MacroExpansion,
    InclusionDirective,
    Unit,
}

#[allow(non_upper_case_globals)]
impl Kind {
    pub(crate) fn of(kind: CXCursorKind) -> Kind {
        match kind {
            CXCursor_StructDecl => Kind::Struct,
            CXCursor_UnionDecl => Kind::Union,
            CXCursor_ClassDecl => Kind::Class,
            CXCursor_EnumDecl => Kind::Enum,
            CXCursor_FieldDecl => Kind::Field,
            CXCursor_EnumConstantDecl => Kind::EnumConstant,
            CXCursor_FunctionDecl => Kind::Function,
            CXCursor_VarDecl => Kind::Variable,
            CXCursor_ParmDecl => Kind::Parameter,
            CXCursor_TypedefDecl | CXCursor_TypeAliasDecl => Kind::Typedef,
            CXCursor_CXXMethod => Kind::Method,
            CXCursor_Constructor => Kind::Constructor,
            CXCursor_Destructor => Kind::Destructor,
            CXCursor_ConversionFunction => Kind::Conversion,
            CXCursor_Namespace => Kind::Namespace,
            CXCursor_LinkageSpec => Kind::Linkage,
            CXCursor_TemplateTypeParameter => Kind::TemplateTypeParameter,
            CXCursor_NonTypeTemplateParameter => Kind::TemplateValueParameter,
            CXCursor_TemplateTemplateParameter => Kind::TemplateTemplateParameter,
            CXCursor_FunctionTemplate => Kind::FunctionTemplate,
            CXCursor_ClassTemplate => Kind::ClassTemplate,
            CXCursor_ClassTemplatePartialSpecialization => Kind::PartialSpecialization,
            CXCursor_TypeAliasTemplateDecl => Kind::AliasTemplate,
            CXCursor_NamespaceAlias => Kind::NamespaceAlias,
            CXCursor_UsingDirective => Kind::UsingDirective,
            CXCursor_UsingDeclaration => Kind::UsingDeclaration,
            CXCursor_CXXAccessSpecifier => Kind::AccessSpecifier,
            CXCursor_StaticAssert => Kind::StaticAssert,
            CXCursor_FriendDecl => Kind::Friend,
            CXCursor_TypeRef => Kind::TypeReference,
            CXCursor_CXXBaseSpecifier => Kind::BaseSpecifier,
            CXCursor_TemplateRef => Kind::TemplateReference,
            CXCursor_NamespaceRef => Kind::NamespaceReference,
            CXCursor_MemberRef => Kind::MemberReference,
            CXCursor_LabelRef => Kind::LabelReference,
            CXCursor_OverloadedDeclRef => Kind::OverloadedReference,
            CXCursor_VariableRef => Kind::VariableReference,
            CXCursor_DeclRefExpr => Kind::Name,
            CXCursor_MemberRefExpr => Kind::Member,
            CXCursor_CallExpr => Kind::Call,
            CXCursor_IntegerLiteral | CXCursor_FloatingLiteral | CXCursor_ImaginaryLiteral => Kind::Literal,
            CXCursor_CharacterLiteral | CXCursor_CXXBoolLiteralExpr => Kind::Literal,
            CXCursor_CXXNullPtrLiteralExpr | CXCursor_GNUNullExpr => Kind::Literal,
            CXCursor_StringLiteral => Kind::StringLiteral,
            CXCursor_ParenExpr => Kind::Parentheses,
            CXCursor_UnaryOperator => Kind::Unary,
            CXCursor_ArraySubscriptExpr => Kind::Subscript,
            CXCursor_BinaryOperator => Kind::Binary,
            CXCursor_CompoundAssignOperator => Kind::CompoundAssignment,
            CXCursor_ConditionalOperator => Kind::Conditional,
            CXCursor_CStyleCastExpr => Kind::Cast,
            CXCursor_CXXStaticCastExpr..=CXCursor_CXXFunctionalCastExpr => Kind::Cast,
            CXCursor_CompoundLiteralExpr => Kind::CompoundLiteral,
            CXCursor_InitListExpr => Kind::InitialiserList,
            CXCursor_StmtExpr => Kind::StatementExpression,
            CXCursor_UnaryExpr | CXCursor_SizeOfPackExpr | CXCursor_CXXTypeidExpr => Kind::TypeTrait,
            CXCursor_CXXThisExpr => Kind::This,
            CXCursor_CXXThrowExpr => Kind::Throw,
            CXCursor_CXXNewExpr => Kind::New,
            CXCursor_CXXDeleteExpr => Kind::Delete,
            CXCursor_LambdaExpr => Kind::Lambda,
            CXCursor_LabelStmt => Kind::Label,
            CXCursor_CompoundStmt => Kind::Compound,
            CXCursor_CaseStmt => Kind::Case,
            CXCursor_DefaultStmt => Kind::Default,
            CXCursor_IfStmt => Kind::If,
            CXCursor_SwitchStmt => Kind::Switch,
            CXCursor_WhileStmt => Kind::While,
            CXCursor_DoStmt => Kind::Do,
            CXCursor_ForStmt => Kind::For,
            CXCursor_CXXForRangeStmt => Kind::RangeFor,
            CXCursor_GotoStmt | CXCursor_IndirectGotoStmt => Kind::Goto,
            CXCursor_ContinueStmt => Kind::Continue,
            CXCursor_BreakStmt => Kind::Break,
            CXCursor_ReturnStmt => Kind::Return,
            CXCursor_AsmStmt | CXCursor_MSAsmStmt => Kind::Assembly,
            CXCursor_CXXTryStmt => Kind::Try,
            CXCursor_CXXCatchStmt => Kind::Catch,
            CXCursor_NullStmt => Kind::Empty,
            CXCursor_DeclStmt => Kind::DeclarationStatement,
            CXCursor_MacroDefinition => Kind::MacroDefinition,
            CXCursor_MacroExpansion => Kind::MacroExpansion,
            CXCursor_InclusionDirective => Kind::InclusionDirective,
            1..=39 => Kind::OtherDeclaration,
            100..=199 => Kind::OtherExpression,
            200..=299 => Kind::OtherStatement,
            400..=499 => Kind::Attribute,
            600..=699 => Kind::OtherDeclaration,
            _ => Kind::OtherExpression,
        }
    }

    pub fn is_declaration(self) -> bool {
        self <= Kind::OtherDeclaration
    }

    pub fn is_reference(self) -> bool {
        (Kind::TypeReference..=Kind::VariableReference).contains(&self)
    }

    pub fn is_expression(self) -> bool {
        (Kind::Name..=Kind::OtherExpression).contains(&self)
    }

    pub fn is_statement(self) -> bool {
        (Kind::Label..=Kind::OtherStatement).contains(&self)
    }

    /// Returns whether this is any sort of function, including a function template.
    pub fn is_function(self) -> bool {
        matches!(
            self,
            Kind::Function
                | Kind::Method
                | Kind::Constructor
                | Kind::Destructor
                | Kind::Conversion
                | Kind::FunctionTemplate
        )
    }

    /// Returns whether this is any sort of class, including a class template.
    pub fn is_class(self) -> bool {
        matches!(self, Kind::Struct | Kind::Union | Kind::Class | Kind::ClassTemplate | Kind::PartialSpecialization)
    }

    pub fn is_loop(self) -> bool {
        matches!(self, Kind::While | Kind::Do | Kind::For | Kind::RangeFor)
    }
}
